import { Environment, type FetchFunction, type GraphQLResponse, Network, RecordSource, Store } from 'relay-runtime'
import { ApiError, Offline, type Problem, refusedOnTheWay } from './errors'
import { readable } from './format'
import { allowed, hold, later, limited } from './limit'
import { isUnknownDocument, Outdated } from './outdated'
import { requested } from './pace'
import { signIn } from './signin'
import { connection, subscribe } from './socket'
import { unsaved } from './unsaved'

type Wire = {
  message: string
  path?: (string | number)[]
  extensions?: { code?: string; param?: string; retryAfter?: number; problems?: Problem[] }
}

// How long it is waited, in ms, before a request without a response is sent again.
const pauses = [0, 500, 1500, 3000, 5000]

// How long an answer to a change is waited for, in ms: longer than the service works on one.
const patience = 90_000

// bodyOf returns the body of a response of the service. It throws if the response is a proxy's.
async function bodyOf(response: Response): Promise<Body> {
  const body = (await response.json()) as Body | null
  if (!body?.data && !body?.errors) throw new Error(`the response isn't the service's: ${response.status}`)
  return body
}

// exchange sends a request until there is a response, and returns its status and body. The
// key of a mutation makes that safe. What reads is sent until there is a response, and the page
// says so meanwhile. A mutation waits for as long as the page says that it isn't connected.
async function exchange(init: RequestInit, mutation: boolean): Promise<{ status: number; body: Body | null }> {
  if (mutation && !navigator.onLine) throw new Offline('unsent')
  let done: (() => void) | undefined
  try {
    for (let n = 0; ; n++) {
      await allowed()
      const signal = mutation ? AbortSignal.timeout(patience) : undefined
      let status = 0
      try {
        const response = await fetch('/graphql', { ...init, signal })
        status = response.status
        const ends = !mutation && status === 503 && n < pauses.length // a service that stops or starts
        if (!ends) return { status, body: status === 401 ? null : await bodyOf(response) }
      } catch {
        if (mutation && status >= 400 && status < 500) throw refusedOnTheWay(status)
        if (signal?.aborted || (mutation && connection.get() !== 'offline' && n >= pauses.length)) throw new Offline('unknown')
        if (n === (mutation ? 0 : 1)) done = mutation ? unsaved() : connection.missed()
      }
      await pause(pauses[Math.min(mutation ? n : n + 1, pauses.length - 1)]!)
    }
  } finally {
    done?.()
  }
}

// pause waits for some ms, or until the page is connected again.
const pause = (ms: number) =>
  new Promise<void>((done) => {
    const end = () => {
      clearTimeout(timer)
      stop()
      done()
    }
    const timer = setTimeout(end, ms)
    const stop = connection.watch(() => connection.get() === 'connected' && end())
  })

// The keys of changes that got no answer. The same change, when a person makes it again, has the same key: if
// it was made, it isn't made twice.
const unanswered = new Map<string, string>()

const fetchDocument: FetchFunction = async (request, variables) => {
  const mutation = request.operationKind === 'mutation'
  const headers: Record<string, string> = { 'Content-Type': 'application/json', Accept: 'application/json' }
  const sent = JSON.stringify({
    operationName: request.name,
    variables,
    extensions: { persistedQuery: { version: 1, sha256Hash: request.id } },
  })
  if (mutation) headers['Idempotency-Key'] = unanswered.get(sent) ?? crypto.randomUUID()
  const init: RequestInit = { method: 'POST', credentials: 'same-origin', headers, body: sent }
  const answered = mutation ? () => {} : requested()
  try {
    for (;;) {
      const { status, body } = await exchange(init, mutation)
      if (status === 401 || !body) {
        signIn(mutation)
        return await new Promise<never>(() => {})
      }
      unanswered.delete(sent)
      const refused = body.errors?.map(errorOf).find((e) => limited(e, mutation))
      if (!refused) return responseOf(body, mutation)
      hold(refused.retryAfter!)
    }
  } catch (e) {
    if (mutation && e instanceof Offline) unanswered.set(sent, headers['Idempotency-Key']!)
    throw e
  } finally {
    answered()
  }
}

type Body = { data?: Record<string, unknown> | null; errors?: Wire[] }

// responseOf returns what Relay takes of a response, or throws its error.
function responseOf(body: Body, mutation: boolean) {
  const first = body.errors?.[0]
  if (isUnknownDocument(first)) throw new Outdated()
  const empty = !body.data || Object.values(body.data).every((v) => v === null)
  const missing = first?.extensions?.code === 'not_found' // the page says so
  if (first && empty && (mutation || !missing)) throw errorOf(first)
  if (first) body.errors = undefined // a nested field without its scope is null; a change was made all the same
  return body as GraphQLResponse
}

function errorOf(e: Wire) {
  const x = e.extensions ?? {}
  const long = x.code === 'rate_limit_exceeded' && x.retryAfter
  const problems = x.problems?.map((p) => ({ ...p, message: readable(p.message) }))
  return new ApiError(long ? later(long) : readable(e.message), x.code ?? 'internal_error', x.param, x.retryAfter, problems)
}

const store = new Store(new RecordSource(), { gcReleaseBufferSize: 24, queryCacheExpirationTime: null })

export const environment = new Environment({ network: Network.create(fetchDocument, subscribe), store })

// forget drops what no page shows any more. Relay does so when a page is left; what events bring
// would stay in a tab that stays on its page.
export const forget = () => store.scheduleGC()
