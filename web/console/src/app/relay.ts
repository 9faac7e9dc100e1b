import { Environment, type FetchFunction, type GraphQLResponse, Network, RecordSource, Store } from 'relay-runtime'
import { isUnknownDocument, Outdated } from './outdated'
import { signIn } from './signin'
import { subscribe } from './socket'

// ApiError is an error that the API returned: its code is the interface's.
export class ApiError extends Error {
  override name = 'ApiError'
  constructor(
    message: string,
    readonly code: string,
    readonly param?: string,
    readonly retryAfter?: number,
    readonly problems?: readonly Problem[],
  ) {
    super(message)
  }
}

// Problem is what is wrong with one field of an input, by the field's path.
export type Problem = { path: string; code?: string; message: string }

type Wire = { message: string; path?: (string | number)[]; extensions?: { code?: string; param?: string; retryAfter?: number; problems?: Problem[] } }

// Offline is the error of a request that reached nobody.
export class Offline extends Error {
  override name = 'Offline'
  constructor() {
    super('The service can’t be reached. Your change wasn’t saved.')
  }
}

const fetchDocument: FetchFunction = async (request, variables) => {
  const mutation = request.operationKind === 'mutation'
  const headers: Record<string, string> = { 'Content-Type': 'application/json', Accept: 'application/json' }
  // A mutation is repeated once if no response came: the key makes that safe.
  if (mutation) headers['Idempotency-Key'] = crypto.randomUUID()
  const init: RequestInit = {
    method: 'POST',
    credentials: 'same-origin',
    headers,
    body: JSON.stringify({
      operationName: request.name,
      variables,
      extensions: { persistedQuery: { version: 1, sha256Hash: request.id } },
    }),
  }
  const response = await fetch('/graphql', init).catch(() => fetch('/graphql', init)).catch(() => {
    throw new Offline()
  })
  if (response.status === 401) {
    signIn()
    return await new Promise<never>(() => {})
  }
  const body = (await response.json().catch(() => {
    throw new Offline()
  })) as { data?: Record<string, unknown> | null; errors?: Wire[] }
  const first = body.errors?.[0]
  if (isUnknownDocument(first)) throw new Outdated()
  const empty = !body.data || Object.values(body.data).every((v) => v === null)
  const missing = first?.extensions?.code === 'not_found' // the page says so
  if (first && (mutation || (empty && !missing))) throw errorOf(first)
  if (first) body.errors = undefined // a nested field without its scope is null
  return body as GraphQLResponse
}

function errorOf(e: Wire) {
  const x = e.extensions ?? {}
  return new ApiError(e.message, x.code ?? 'internal_error', x.param, x.retryAfter, x.problems)
}

export const environment = new Environment({
  network: Network.create(fetchDocument, subscribe),
  store: new Store(new RecordSource(), { gcReleaseBufferSize: 24, queryCacheExpirationTime: null }),
})
