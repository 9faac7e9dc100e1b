// A client of missiond's GraphQL API: requests by fetch, subscriptions by
// graphql-ws, both typed by the documents that codegen writes into api.ts.

import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type Client as Socket } from 'graphql-ws'
import WebSocket from 'ws'
import { EventsDocument, OldestEventDocument, type HappeningFragment, type TypedDocumentString } from './api.js'

/** An error as the API writes it. */
interface Fault {
  message: string
  path?: ReadonlyArray<string | number>
  extensions?: { code?: string; param?: string; retryAfter?: number; requestId?: string }
}

/** What the API refused, and why: the code is for programs, the message for people. */
export class Refusal extends Error {
  override name = 'Refusal'
  /** As in invalid_request, forbidden, rate_limit_exceeded. */
  readonly code: string
  /** The input that is wrong, as in kpis[0].metric. */
  readonly param: string | undefined
  /** In how many seconds the same may go through. */
  readonly retryAfter: number | undefined
  /** What to tell the operator. */
  readonly requestId: string | undefined

  constructor(faults: readonly Fault[]) {
    const { message, extensions = {} } = faults[0] ?? { message: 'It is not said why.' }
    super(message)
    this.code = extensions.code ?? 'unknown'
    this.param = extensions.param
    this.retryAfter = extensions.retryAfter
    this.requestId = extensions.requestId
  }
}

/**
 * An answer without errors. Fields of Query, Mutation and Subscription may be
 * null only beside an error, as where a scope is lacking, and errors are thrown.
 */
type Whole<Data> = { [Field in keyof Data]: NonNullable<Data[Field]> }

/** How often in a row a connection is tried again, and the longest wait between, in milliseconds. */
const retries = 30
const longestWait = 5000

/** How often the server is asked whether it lives, and how long that may take, in milliseconds. */
const heartbeat = 10_000
const silence = 5000

export interface Options {
  /** The API's address, without a path. */
  url: string
  /** An API key, or a session's token. */
  key: string
  /** Is told when a connection is lost, before it is tried again. */
  onLost?: ((why: string) => void) | undefined
}

export class Client {
  readonly #options: Options
  readonly #socket: Socket
  readonly #closing = new AbortController()
  #unanswered: NodeJS.Timeout | undefined

  constructor(options: Options) {
    this.#options = options
    this.#socket = createClient({
      url: `${options.url.replace(/^http/, 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { Authorization: `Bearer ${options.key}` },
      retryAttempts: 0, // subscribe does it, with other variables each time
      keepAlive: heartbeat,
      on: {
        ping: (received) => {
          if (!received) this.#unanswered = setTimeout(() => this.#socket.terminate(), silence).unref()
        },
        pong: (received) => {
          if (received) clearTimeout(this.#unanswered)
        },
      },
    })
  }

  /** Answers a query or a mutation. Throws a Refusal where the API has an error, if only of one field. */
  async request<Data, Variables>(document: TypedDocumentString<Data, Variables>, variables: Variables): Promise<Whole<Data>> {
    const response = await fetch(`${this.#options.url}/graphql`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${this.#options.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: document.toString(), variables }),
      signal: this.#closing.signal,
    })
    const text = await response.text()
    let answer: { data?: Whole<Data> | null; errors?: Fault[] }
    try {
      answer = JSON.parse(text)
    } catch {
      throw new Error(`${this.#options.url} answers ${response.status} and no JSON: ${text.slice(0, 200)}`)
    }
    if (answer.errors || !answer.data) throw new Refusal(answer.errors ?? [])
    return answer.data
  }

  /**
   * Yields what a subscription sends. Where the connection is lost it subscribes
   * again, with the variables of then. Throws a Refusal, or what closed the
   * connection for good.
   */
  async *subscribe<Data, Variables extends Record<string, unknown>>(
    document: TypedDocumentString<Data, Variables>,
    variables: () => Variables,
  ): AsyncGenerator<Whole<Data>, void, void> {
    for (let failures = 0; ; ) {
      const began = performance.now()
      try {
        const results = this.#socket.iterate<Whole<Data>>({ query: document.toString(), variables: variables() })
        for await (const { data, errors } of results) {
          if (errors || !data) throw new Refusal(errors ?? [])
          yield data
        }
        this.#closing.signal.throwIfAborted()
        return
      } catch (error) {
        const why = lost(error)
        if (performance.now() - began > longestWait) failures = 0
        if (this.#closing.signal.aborted || why === undefined || ++failures > retries) throw readable(error)
        this.#options.onLost?.(why)
        await sleep(Math.min(50 * 2 ** failures, longestWait), undefined, { signal: this.#closing.signal }).catch(() => {})
        this.#closing.signal.throwIfAborted()
      }
    }
  }

  /**
   * Yields all events of a mission, from its first on, each once, whatever
   * becomes of the connection: the id of the last one seen is where the next
   * subscription begins. Keep that id, and pass it as after, to go on in another
   * run of the program.
   */
  async *events(missionId: string, after?: string): AsyncGenerator<HappeningFragment, void, void> {
    if (after === undefined) {
      const { events } = await this.request(OldestEventDocument, { missionId })
      const oldest = events.edges[0]?.node
      if (oldest) {
        after = oldest.id
        yield oldest
      }
    }
    for await (const { events: event } of this.subscribe(EventsDocument, () => ({ missionId, after }))) {
      after = event.id
      yield event
    }
  }

  /** Ends everything that is under way, which then throws the reason. */
  close(reason?: Error): void {
    this.#closing.abort(reason)
    clearTimeout(this.#unanswered)
    void this.#socket.dispose()
  }
}

/** Answers why a connection was lost, or undefined where trying again is no use. */
function lost(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || error instanceof Error || Array.isArray(error)) return undefined
  if ('code' in error && typeof error.code === 'number') {
    const again = error.code < 4400 || error.code === 4408 || error.code === 4499 // too late, or too silent
    return again ? `closed with ${error.code}` : undefined
  }
  return 'message' in error ? String(error.message) : 'no connection' // a socket's event; a browser's says nothing
}

/** Answers as an error what graphql-ws throws: events of sockets, and lists of errors. */
function readable(error: unknown): Error {
  if (error instanceof Error) return error
  if (Array.isArray(error)) return new Refusal(error)
  const { code, reason, message } = error as { code?: number; reason?: string; message?: string }
  return new Error(code === undefined ? `There is no connection: ${message}` : `The connection was closed with ${code}: ${reason || 'no reason'}`)
}
