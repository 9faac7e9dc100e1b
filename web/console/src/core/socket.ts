import { createClient } from 'graphql-ws'
import { type GraphQLResponse, Observable, type SubscribeFunction } from 'relay-runtime'
import { isUnknownDocument, Outdated } from './outdated'
import { renew } from './signin'

export type Connection = 'connecting' | 'connected' | 'offline'

let state: Connection = 'connecting'
const watchers = new Set<() => void>()

function become(next: Connection) {
  if (state === next) return
  state = next
  for (const w of watchers) w()
}

// How many requests for what is shown got no response, and are sent again.
let unanswered = 0

export const connection = {
  get: (): Connection => (unanswered > 0 ? 'offline' : state),
  // missed counts such a request until the function that it returns is called.
  missed() {
    unanswered++
    for (const w of watchers) w()
    return () => {
      unanswered--
      for (const w of watchers) w()
    }
  },
  watch(fn: () => void) {
    watchers.add(fn)
    return () => void watchers.delete(fn)
  },
}

// The session's cookie authenticates the socket. It closes with 4401 or 4403 when its
// credential ends: the cookie is renewed then, or the sign-in comes.
const client = createClient({
  url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/graphql`,
  lazy: true,
  keepAlive: 20_000,
  connectionAckWaitTimeout: 10_000,
  retryAttempts: Infinity,
  shouldRetry: () => true,
  retryWait: async (retries) => {
    const seconds = Math.min(0.5 * 2 ** retries, 15) * (0.7 + 0.6 * Math.random())
    await new Promise((done) => {
      const t = setTimeout(done, seconds * 1000)
      addEventListener('online', () => (clearTimeout(t), done(null)), { once: true })
    })
    if (refused) {
      refused = false
      await renew()
    }
  },
  on: {
    connected: () => become('connected'),
    closed: (event) => {
      const code = (event as CloseEvent).code
      if (code === 4401 || code === 4403) refused = true
      become('offline')
    },
  },
})

let refused = false

// subscribe carries Relay's subscriptions. One that follows events or notifications goes
// on after the last one it has seen when the socket is opened again. If it has seen none,
// it ends in an error: there is nothing to go on after, and something may have been missed.
export const subscribe: SubscribeFunction = (request, variables) =>
  Observable.create<GraphQLResponse>((sink) => {
    const following = { ...variables }
    const forget = client.on('connected', (_socket, _payload, again) => {
      if (again && 'after' in following && following.after == null) sink.error(new Error('missed what came before the first event'))
    })
    const stop = client.subscribe(
      {
        operationName: request.name,
        query: '',
        variables: following,
        extensions: { persistedQuery: { version: 1, sha256Hash: request.id } },
      },
      {
        next: (value) => {
          const event = (value.data?.events ?? value.data?.notifications) as { id?: string } | undefined
          if ('after' in following && event?.id) following.after = event.id
          sink.next(value as GraphQLResponse)
        },
        error: (e) => {
          const first = Array.isArray(e) ? e[0] : undefined
          sink.error(isUnknownDocument(first) ? new Outdated() : e instanceof Error ? e : new Error(first?.message ?? 'closed'))
        },
        complete: () => sink.complete(),
      },
    )
    return () => {
      forget()
      stop()
    }
  })
