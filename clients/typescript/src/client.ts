import { ConnectionError, MissiondError, refusal } from './errors.js'

export interface ClientOptions {
  /** The service's address, without a path: https://missiond.example.com */
  url: string
  /** An API key or a session's token, or what returns one for each request. */
  key: string | (() => string | Promise<string>)
  /** How long one attempt may take, in milliseconds: 30,000 by default. */
  timeout?: number
  /** How often a request is sent at most: 4 times by default. 1 never repeats. */
  attempts?: number
  /**
   * The longest wait between two attempts, in milliseconds: 60,000 by default. A response
   * that asks for a longer one is thrown at once, with its `retryAfter`.
   */
  longestWait?: number
  /** The longest response that is read, in bytes: 32 MiB by default. Files aren't held to it. */
  longestResponse?: number
  /** Replaces the platform's fetch. */
  fetch?: typeof fetch
}

export interface CallOptions {
  /** Identifies a POST over its repetitions: a random UUID by default. Pass your own to repeat it after a crash. */
  idempotencyKey?: string
  /** Changes the record only if it is still as the ETag says. */
  ifMatch?: string
  /** Is given the response, for its headers: ETag, X-RateLimit-Remaining, Idempotent-Replayed. */
  onResponse?: (response: Response) => void
  /** Ends the call. */
  signal?: AbortSignal
  /** Instead of the client's. */
  timeout?: number
  /** Instead of the client's. */
  attempts?: number
}

/** A request as the client sends it. */
export interface Request {
  method: string
  /** From the root, with its query. */
  path: string
  accept?: string
  body?: BodyInit | undefined
  contentType?: string | undefined
  /** Whether the service executes a repeated request once only. */
  repeatable: boolean
  idempotencyKey?: string | undefined
}

/** Client says where the service is and who calls. It holds no connection and needs no closing. */
export class Client {
  readonly url: string
  readonly options: Readonly<Required<Omit<ClientOptions, 'fetch'>>> & { readonly fetch: typeof fetch | undefined }

  constructor(options: ClientOptions) {
    this.url = options.url.replace(/\/+$/, '')
    const { protocol } = new URL(this.url)
    if (protocol !== 'https:' && protocol !== 'http:') throw new TypeError(`url must be http or https, not ${protocol}`)
    this.options = {
      ...options,
      timeout: options.timeout ?? 30_000,
      attempts: options.attempts ?? 4,
      longestWait: options.longestWait ?? 60_000,
      longestResponse: options.longestResponse ?? 32 << 20,
      fetch: options.fetch,
    }
  }
}

/** headersOf returns the headers of a request, with the credential of now. */
export async function headersOf(client: Client, request: Request, options: CallOptions): Promise<Record<string, string>> {
  const { key } = client.options
  const headers: Record<string, string> = {
    Accept: request.accept ?? 'application/json',
    Authorization: `Bearer ${typeof key === 'string' ? key : await key()}`,
  }
  if (request.contentType !== undefined) headers['Content-Type'] = request.contentType
  if (request.idempotencyKey !== undefined) headers['Idempotency-Key'] = request.idempotencyKey
  if (options.ifMatch !== undefined) headers['If-Match'] = options.ifMatch
  return headers
}

/**
 * send sends a request, repeats it while that is safe and may help, and returns what read
 * makes of the response. It throws a MissiondError or a ConnectionError, or the signal's reason.
 */
export async function send<T>(
  client: Client,
  request: Request,
  options: CallOptions,
  read: (response: Response, longest: number) => Promise<T>,
): Promise<T> {
  const attempts = options.attempts ?? client.options.attempts
  for (let attempt = 1; ; attempt++) {
    try {
      return await once(client, request, options, read)
    } catch (error) {
      options.signal?.throwIfAborted()
      const wait = pause(error, attempt, request.repeatable)
      if (wait === undefined || attempt >= attempts || wait > client.options.longestWait) throw error
      await sleep(wait, options.signal)
    }
  }
}

async function once<T>(
  client: Client,
  request: Request,
  options: CallOptions,
  read: (response: Response, longest: number) => Promise<T>,
): Promise<T> {
  options.signal?.throwIfAborted()
  const headers = await headersOf(client, request, options)
  const ended = new AbortController()
  const limit = options.timeout ?? client.options.timeout
  const timer = setTimeout(() => ended.abort(new ConnectionError(`no whole response within ${limit} ms`)), limit)
  const signal = options.signal ? AbortSignal.any([options.signal, ended.signal]) : ended.signal
  try {
    const call = client.options.fetch ?? fetch
    const response = await call(client.url + request.path, {
      method: request.method,
      headers,
      body: request.body ?? null,
      redirect: redirectOf(request.method),
      signal,
    })
    options.onResponse?.(response)
    if (!response.ok) throw refusal(response, await textOf(response, 1 << 20))
    return await read(response, client.options.longestResponse)
  } catch (error) {
    if (error instanceof MissiondError || error instanceof ConnectionError || options.signal?.aborted) throw error
    if (ended.signal.aborted) throw ended.signal.reason
    throw new ConnectionError(`no response from ${client.url}: ${String((error as Error)?.cause ?? error)}`, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/** redirectOf follows reads only: fetch would make a GET of a POST that is sent elsewhere. */
export const redirectOf = (method: string): RequestRedirect => (method === 'GET' ? 'follow' : 'manual')

/** pause returns how many milliseconds to wait before the next attempt, or undefined where that is no use or not safe. */
export function pause(error: unknown, attempt: number, repeatable: boolean): number | undefined {
  const backoff = Math.min(250 * 2 ** (attempt - 1), 8000) * (0.5 + Math.random() / 2)
  if (error instanceof ConnectionError) return repeatable ? backoff : undefined
  if (!(error instanceof MissiondError)) return undefined
  const refused = error.status === 429 || error.code === 'rate_limit_exceeded' || error.code === 'service_unavailable'
  if (!refused && !(repeatable && error.status >= 500)) return undefined
  return error.retryAfter === undefined ? backoff : Math.max(error.retryAfter * 1000, backoff)
}

/** sleep waits, or throws the signal's reason. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    if (signal?.aborted) return fail(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      fail(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      done()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/** textOf returns a response's body, of so many bytes at most. */
export async function textOf(response: Response, longest: number): Promise<string> {
  if (!response.body) return ''
  const decoder = new TextDecoder()
  const reader = response.body.getReader()
  let text = ''
  for (let bytes = 0; ;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.length
    if (bytes > longest) {
      await reader.cancel()
      throw new MissiondError(`the response is longer than ${longest} bytes`, { status: response.status, code: 'unknown' })
    }
    text += decoder.decode(value, { stream: true })
  }
}

/** jsonOf returns the value of a response. */
export async function jsonOf(response: Response, longest: number): Promise<unknown> {
  const text = await textOf(response, longest)
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    throw new MissiondError(`HTTP status ${response.status}, and no JSON: ${text.slice(0, 200)}`, {
      status: response.status,
      code: 'unknown',
      requestId: response.headers.get('x-request-id'),
    })
  }
}
