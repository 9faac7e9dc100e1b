import { type CallOptions, type Client, jsonOf, send } from './client.js'
import type { operations } from './generated/schema.js'

type Present<T> = [NonNullable<T>] extends [never] ? unknown : NonNullable<T>
type Whether<T> = undefined extends T ? 'optional' : 'required'

type Named<O> = O extends { parameters: { path?: infer P; query?: infer Q } } ? Present<P> & Present<Q> : unknown

type Content<B> = NonNullable<B> extends { content: infer C } ? C : never
type Body<B> = Content<B> extends { 'application/json': infer J } ? J : BodyInit

/** A body that isn't JSON, other than a FormData, also needs its media type. */
type Typed<B> = Content<B> extends { 'application/json': unknown } ? unknown : { contentType?: keyof Content<B> & string }

type Bodied<O> = O extends { requestBody: infer B }
  ? { body: Body<B> } & Typed<B>
  : O extends { requestBody?: infer B }
    ? [NonNullable<B>] extends [never]
      ? unknown
      : { body?: Body<B> } & Typed<B>
    : unknown

type Success<O> = O extends { responses: infer R } ? R[keyof R & (200 | 201)] : never

/** Input is what an operation takes: the parameters of its path and query by their names, and its body. */
export type Input<K extends keyof operations> = Named<operations[K]> & Bodied<operations[K]>

/** Result is what an operation returns: its JSON, or the response itself if it has other forms too. */
export type Result<K extends keyof operations> =
  Success<operations[K]> extends { content: infer C } ? (keyof C extends 'application/json' ? C[keyof C] : Response) : undefined

type Arguments<T> = Whether<Record<never, never> extends T ? undefined : T> extends 'optional' ? [input?: T] : [input: T]

/** Operation calls one operation of the REST API. */
export type Operation<K extends keyof operations> = (
  client: Client,
  ...args: [...Arguments<Input<K>>, options?: CallOptions]
) => Promise<Result<K>>

/** operation returns the function of an operation. Its path has parameters in braces. */
export function operation<K extends keyof operations>(method: string, path: string, form: 'json' | 'response' = 'json'): Operation<K> {
  const call = (client: Client, input: Record<string, unknown> = {}, options: CallOptions = {}) => {
    const { body, contentType, ...named } = input
    const query = new URLSearchParams()
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = named[name]
      delete named[name]
      // "." and ".." would be taken out of the path, and lead to another operation.
      if (typeof value !== 'string' || /^\.*$/.test(value)) throw new TypeError(`${name} must be an id, not ${JSON.stringify(value)}`)
      return encodeURIComponent(value)
    })
    for (const [name, value] of Object.entries(named)) {
      if (value !== undefined && value !== null) query.set(name, Array.isArray(value) ? value.join(',') : String(value))
    }
    const post = method === 'POST'
    return send(
      client,
      {
        method,
        path: filled + (query.size > 0 ? `?${query}` : ''),
        accept: form === 'json' ? 'application/json' : '*/*',
        ...bodyOf(body, contentType),
        repeatable: method === 'GET' || post,
        idempotencyKey: post ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined,
      },
      options,
      form === 'json' ? jsonOf : async (response) => response,
    )
  }
  return call as unknown as Operation<K>
}

function bodyOf(body: unknown, contentType: unknown): { body?: BodyInit; contentType?: string } {
  if (body === undefined) return {}
  if (typeof contentType === 'string') return { body: body as BodyInit, contentType }
  if (body instanceof FormData || body instanceof Blob) return { body } // they say what they are
  return { body: JSON.stringify(body), contentType: 'application/json' }
}
