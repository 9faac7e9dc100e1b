import { type CallOptions, type Client, jsonOf, send } from './client.js'
import { MissiondError } from './errors.js'

/** A response of GraphQL. */
export interface Answer {
  data?: unknown
  errors?: { message: string; extensions?: Record<string, unknown> }[]
}

/** graphqlError returns the first error of a response. */
export function graphqlError(status: number, errors: NonNullable<Answer['errors']>): MissiondError {
  const { message, extensions = {} } = errors[0] ?? { message: 'GraphQL says nothing of why' }
  return new MissiondError(message, {
    status,
    code: typeof extensions.code === 'string' ? extensions.code : 'unknown',
    field: extensions.param,
    requestId: extensions.requestId,
    retryAfter: typeof extensions.retryAfter === 'number' ? extensions.retryAfter : undefined,
    problems: extensions.problems,
  })
}

/**
 * graphql executes a query or a mutation, and returns its data. It throws a MissiondError
 * for any error, even one of a nested field. A mutation is repeated with the same key.
 */
export async function graphql<Data = Record<string, unknown>>(
  client: Client,
  query: string | { toString(): string },
  variables: Record<string, unknown> = {},
  options: CallOptions = {},
): Promise<Data> {
  const document = query.toString()
  const mutation = /\bmutation\b/.test(document)
  const request = {
    method: 'POST',
    path: '/graphql',
    body: JSON.stringify({ query: document, variables }),
    contentType: 'application/json',
    repeatable: true,
    idempotencyKey: mutation ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined,
  }
  return send(client, request, options, async (response, longest) => {
    const answer = (await jsonOf(response, longest)) as Answer | undefined
    if (!answer?.data || answer.errors) throw graphqlError(response.status, answer?.errors ?? [])
    return answer.data as Data
  })
}
