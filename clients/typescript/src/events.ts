import { type CallOptions, type Client, headersOf, pause, redirectOf, sleep, textOf } from './client.js'
import { ConnectionError, MissiondError, refusal } from './errors.js'
import { type Answer, graphql, graphqlError } from './graphql.js'

export interface SubscribeOptions {
  /** Ends the subscription, which then throws its reason. */
  signal?: AbortSignal
  /** Is told when a connection is lost, before it is made again. */
  onLost?: (error: Error) => void
  /** How many connections in a row may fail without a message: 30 by default. */
  attempts?: number
}

export interface FollowOptions extends SubscribeOptions {
  /** The id of the last event that was seen, at most 30 days old. Without it only new events come. */
  after?: string
  /** Only events of these types, as in content.published. */
  types?: readonly string[]
  /** Only events of this mission. */
  missionId?: string
}

/** An event as webhooks have it too. */
export interface Event {
  id: string
  type: string
  created_at: string
  data: Record<string, unknown>
}

/** How long a stream may be silent, in milliseconds; the service writes something every 24 s. */
const silence = 60_000
/** The longest message of a stream that is read, in characters. */
const longestMessage = 4 << 20

interface Row {
  id: string
  type: string
  createdAt: string
  data: Record<string, unknown>
}

interface Rows {
  edges: { node: Row }[]
}

const fields = 'id type createdAt data'

/**
 * follow yields the events of the tenant in their order, each once. Whatever ends the
 * connection, it resumes after the last event that it yielded. Keep that event's id, and
 * pass it as `after`, to resume in another run of the program.
 */
export async function* follow(client: Client, options: FollowOptions = {}): AsyncGenerator<Event, void, void> {
  const filter = { types: options.types?.map(constant), missionId: options.missionId }
  let { after } = options
  if (after === undefined) {
    const begin = await beginning(client, filter, options)
    after = begin.after
    if (begin.first) yield shown(begin.first)
  }
  const query = `subscription($types: [EventType!], $missionId: ID, $after: ID) {
    events(types: $types, missionId: $missionId, after: $after) { ${fields} }
  }`
  for await (const data of subscribe<{ events: Row }>(client, query, () => ({ ...filter, after }), options)) {
    yield shown(data.events)
    after = data.events.id
  }
}

/**
 * beginning returns the newest event, after which a subscription begins: so it can resume
 * before the first message. If there is none yet, it waits for the first one, which it
 * returns too where it is asked for.
 */
async function beginning(client: Client, filter: object, options: FollowOptions): Promise<{ after: string; first?: Row | undefined }> {
  const call: CallOptions = options.signal ? { signal: options.signal } : {}
  const newest = await graphql<{ events: Rows }>(client, `{ events(first: 1) { edges { node { ${fields} } } } }`, {}, call)
  if (newest.events.edges[0]) return { after: newest.events.edges[0].node.id }
  const query = `query($filter: EventFilter) {
    oldest: events(last: 1) { edges { node { ${fields} } } }
    wanted: events(last: 1, filter: $filter) { edges { node { ${fields} } } }
  }`
  for (;;) {
    const { oldest, wanted } = await graphql<{ oldest: Rows; wanted: Rows }>(client, query, { filter }, call)
    const after = oldest.edges[0]?.node.id
    const first = wanted.edges[0]?.node
    if (after !== undefined) return { after, first: first?.id === after ? first : undefined }
    await sleep(2000, options.signal)
  }
}

/** constant returns the GraphQL name of an event's type: CONTENT_PUBLISHED. */
const constant = (type: string) => type.replace('.', '_').toUpperCase()

const shown = ({ id, type, createdAt, data }: Row): Event => ({
  id,
  type: type.replace('_', '.').toLowerCase(),
  created_at: createdAt,
  data,
})

/**
 * subscribe yields the data of a GraphQL subscription, over server-sent events. Where the
 * connection is lost it subscribes again, with the variables of then. It ends with the
 * subscription, and throws a MissiondError if the service refuses it.
 */
export async function* subscribe<Data = Record<string, unknown>>(
  client: Client,
  query: string | { toString(): string },
  variables: Record<string, unknown> | (() => Record<string, unknown>) = {},
  options: SubscribeOptions = {},
): AsyncGenerator<Data, void, void> {
  const attempts = options.attempts ?? 30
  for (let failures = 0; ;) {
    const body = JSON.stringify({ query: query.toString(), variables: typeof variables === 'function' ? variables() : variables })
    try {
      for await (const data of stream<Data>(client, body, options)) {
        failures = 0
        yield data
      }
      return
    } catch (error) {
      options.signal?.throwIfAborted()
      const wait = pause(error, Math.min(++failures, 6), true)
      if (wait === undefined || failures >= attempts || wait > client.options.longestWait) throw error
      options.onLost?.(error as Error)
      await sleep(wait, options.signal)
    }
  }
}

/** stream yields what comes over one connection. It returns only once the service says that the subscription is complete. */
async function* stream<Data>(client: Client, body: string, options: SubscribeOptions): AsyncGenerator<Data, void, void> {
  const ended = new AbortController()
  const stop = () => ended.abort(options.signal?.reason)
  options.signal?.throwIfAborted()
  options.signal?.addEventListener('abort', stop, { once: true })
  const expire = () => ended.abort(new ConnectionError(`the stream was silent for ${silence} ms`))
  let timer = setTimeout(expire, silence)
  try {
    const request = {
      method: 'POST',
      path: '/graphql',
      accept: 'text/event-stream',
      contentType: 'application/json',
      repeatable: true,
    }
    const headers = await headersOf(client, request, {})
    const call = client.options.fetch ?? fetch
    const response = await call(client.url + request.path, {
      method: request.method,
      headers,
      body,
      redirect: redirectOf(request.method),
      signal: ended.signal,
    })
    if (!response.ok) throw refusal(response, await textOf(response, 1 << 20))
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
      // A request that is refused before the stream begins is answered in JSON.
      const answer = JSON.parse(await textOf(response, 1 << 20)) as Answer
      throw graphqlError(response.status, answer.errors ?? [])
    }
    const heard = () => {
      clearTimeout(timer)
      timer = setTimeout(expire, silence)
    }
    for await (const { event, data } of messages(response, heard)) {
      if (event === 'complete') return
      if (event !== 'next') continue
      const answer = JSON.parse(data) as Answer
      if (answer.errors || !answer.data) throw graphqlError(response.status, answer.errors ?? [])
      clearTimeout(timer) // whoever reads may take their time
      yield answer.data as Data
      heard()
    }
    throw new ConnectionError('the stream ended')
  } catch (error) {
    if (error instanceof MissiondError || error instanceof ConnectionError) throw error
    if (ended.signal.aborted) throw ended.signal.reason
    throw new ConnectionError(`the stream was lost: ${String(error)}`, { cause: error })
  } finally {
    clearTimeout(timer)
    options.signal?.removeEventListener('abort', stop)
    ended.abort()
  }
}

/** messages yields the server-sent events of a response; heard is called for whatever arrives. */
async function* messages(response: Response, heard: () => void): AsyncGenerator<{ event: string; data: string }, void, void> {
  if (!response.body) return
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  for (let rest = ''; ;) {
    const { done, value } = await reader.read()
    if (done) return
    heard()
    rest += decoder.decode(value, { stream: true })
    if (rest.length > longestMessage) throw new ConnectionError(`a message is longer than ${longestMessage} characters`)
    const blocks = rest.split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      let event = 'message'
      const data: string[] = []
      for (const line of block.split(/\r?\n/)) {
        const [, name, text] = /^(\w+): ?(.*)$/.exec(line) ?? []
        if (name === 'event') event = text ?? ''
        if (name === 'data') data.push(text ?? '')
      }
      yield { event, data: data.join('\n') }
    }
  }
}
