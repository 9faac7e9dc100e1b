import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client, ConnectionError, graphql, media, MissiondError, missions, paginate, tenant, webhooks } from '@missiond/client'
import { bodyOf, listen, serve, until } from './service.mjs'

const service = await serve()
const client = new Client({ url: `${service.url}/`, key: service.key })
const brief = {
  name: 'A mission',
  description: 'Linseed oil keeps the wood warm. Legs are joined with wedges.',
  objectives: ['Test the client'],
  platforms: ['mastodon'],
  duration_days: 7,
}

test('operations', async () => {
  const made = await missions.create(client, { body: { ...brief, name: 'Made' } })
  const read = await missions.read(client, { id: made.id })
  assert.equal(read.name, 'Made')
  assert.equal(read.status, 'draft')
  await missions.update(client, { id: made.id, body: { name: 'Renamed' } })
  assert.equal((await missions.read(client, { id: made.id })).name, 'Renamed')
  await missions.delete(client, { id: made.id })
  await assert.rejects(missions.read(client, { id: made.id }), { name: 'MissiondError', status: 404, code: 'not_found' })
})

test('a record that was changed meanwhile', async () => {
  const { id } = await missions.create(client, { body: brief })
  let ifMatch
  await missions.read(client, { id }, { onResponse: ({ headers }) => (ifMatch = headers.get('etag')) })
  await missions.update(client, { id, body: { name: 'First' } }, { ifMatch })
  await assert.rejects(missions.update(client, { id, body: { name: 'Second' } }, { ifMatch }), { status: 412, code: 'precondition_failed' })
})

test('files', async () => {
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAgAAAAGCAIAAABxZ0isAAAAEUlEQVR42mM4oaCAFTEMpAQAoWgxgfG47Z8AAAAASUVORK5CYII=', 'base64')
  const form = new FormData()
  form.set('alt_text', 'A door')
  form.set('file', new Blob([png], { type: 'image/png' }), 'door.png')
  for (const input of [{ body: form }, { body: png, contentType: 'image/png' }]) {
    const { id } = await media.upload(client, input)
    const file = await until('the picture', async () => {
      const read = await media.read(client, { id })
      return read.status === 'ready' && read
    })
    assert.equal(file.kind, 'image')
    const response = await media.file(client, { id })
    assert.match(response.headers.get('content-type'), /^image\//)
    assert.ok((await response.arrayBuffer()).byteLength > 0)
  }
})

test('lists', async () => {
  const made = []
  for (const n of [1, 2, 3, 4, 5]) made.push((await missions.create(client, { body: { ...brief, name: `Listed ${n}` } })).id)
  const listed = []
  for await (const mission of paginate(client, missions.list, { limit: 2, status: 'draft' })) listed.push(mission.id)
  assert.deepEqual(
    listed.filter((id) => made.includes(id)),
    made.reverse(),
    'newest first, each once',
  )
  for await (const mission of paginate(client, missions.list, { limit: 1 })) {
    assert.ok(mission.id)
    break
  }
})

test('errors', async () => {
  await assert.rejects(missions.create(client, { body: { ...brief, duration_days: 400 } }), (error) => {
    assert.ok(error instanceof MissiondError)
    assert.equal(error.code, 'invalid_request')
    assert.equal(error.field, 'duration_days')
    assert.ok(error.requestId, 'it has no request id')
    return true
  })
  await assert.rejects(missions.list(new Client({ url: service.url, key: 'cms_live_nobody' })), { status: 401, code: 'unauthorized' })
  await assert.rejects(graphql(client, 'query($id: ID!) { mission(id: $id) { name } }', { id: 'msn_no' }), {
    name: 'MissiondError',
    code: 'not_found',
  })
  const invalid = { ...brief, platforms: ['MASTODON'], durationDays: 400 }
  delete invalid.duration_days
  await assert.rejects(
    graphql(client, 'mutation($input: CreateMissionInput!) { createMission(input: $input) { mission { id } } }', { input: invalid }),
    (error) => {
      assert.equal(error.problems[0].path, 'durationDays')
      return true
    },
  )
  for (const id of ['', '.', '..', undefined]) assert.throws(() => missions.read(client, { id }), TypeError)
  assert.throws(() => new Client({ url: 'file:///x', key: '' }), TypeError)
})

test('a lost response is asked for again with the same key', async () => {
  const keys = []
  const url = await listen(async (request, response) => {
    const body = await bodyOf(request)
    keys.push(request.headers['idempotency-key'])
    const forwarded = await fetch(service.url + request.url, {
      method: request.method,
      headers: {
        authorization: request.headers.authorization,
        'content-type': request.headers['content-type'],
        'idempotency-key': request.headers['idempotency-key'],
      },
      body,
    })
    const text = await forwarded.text()
    if (keys.length === 1) return request.socket.destroy()
    response.writeHead(forwarded.status, {
      'content-type': 'application/json',
      replayed: forwarded.headers.get('idempotent-replayed') ?? '',
    })
    response.end(text)
  })
  const before = (await missions.list(client)).total
  const mission = await missions.create(new Client({ url, key: service.key }), { body: { ...brief, name: 'Once' } })
  assert.equal(mission.name, 'Once')
  assert.equal((await missions.list(client)).total, before + 1)
  assert.equal(keys.length, 2)
  assert.match(keys[0], /^[0-9a-f-]{36}$/)
  assert.equal(keys[1], keys[0])
  assert.equal((await missions.create(client, { body: { ...brief, name: 'Once' } }, { idempotencyKey: keys[0] })).id, mission.id)
})

// refusing returns a client of a server that refuses so many requests, with headers or what their function returns, and what
// reached it.
async function refusing(times, status, headers, body = '{"error":{"code":"service_unavailable","message":"Later."}}') {
  const requests = []
  const url = await listen(async (request, response) => {
    await bodyOf(request)
    requests.push({ method: request.method, at: Date.now(), key: request.headers['idempotency-key'] })
    if (requests.length <= times) {
      return response.writeHead(status, typeof headers === 'function' ? headers() : headers).end(body)
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[],"has_more":false,"total":0}')
  })
  return { client: new Client({ url, key: 'a', longestWait: 5000 }), requests }
}

test('Retry-After', async () => {
  for (const [name, value, least] of [
    ['seconds', () => '1', (at) => at + 950],
    ['a date', () => new Date(Date.now() + 2000).toUTCString(), (at, date) => Date.parse(date)],
    ['neither', () => 'soon', (at) => at + 100],
  ]) {
    let said
    const { client, requests } = await refusing(1, 503, () => ({ 'Retry-After': (said = value()) }))
    await missions.list(client)
    const early = least(requests[0].at, said) - requests[1].at
    assert.ok(early <= 0, `Retry-After with ${name}: it was asked again ${early} ms too early`)
  }
  const { client, requests } = await refusing(9, 429, { 'Retry-After': '3600' })
  await assert.rejects(missions.list(client), { status: 429, retryAfter: 3600 })
  assert.equal(requests.length, 1)
})

test('what is repeated', async () => {
  for (const [what, status, call, want] of [
    ['a read after 500', 500, (client) => missions.list(client), 2],
    ['a POST after 502', 502, (client) => missions.pause(client, { id: 'msn_1' }), 2],
    ['a PUT after 500', 500, (client) => tenant.update(client, { body: {} }), 1],
    ['a PUT after 429', 429, (client) => tenant.update(client, { body: {} }), 2],
    ['a DELETE after 502', 502, (client) => webhooks.delete(client, { id: 'whk_1' }), 1],
    ['a read after 400', 400, (client) => missions.list(client), 1],
  ]) {
    const { client, requests } = await refusing(1, status, {}, '<html>')
    await call(client).catch((error) => assert.ok(error instanceof MissiondError && error.status === status, `${what}: ${error}`))
    assert.equal(requests.length, want, what)
    assert.equal(new Set(requests.map((r) => r.key)).size, 1, `${what}: its keys`)
  }
  const { client, requests } = await refusing(9, 503, {})
  await assert.rejects(missions.list(client, {}, { attempts: 3 }), { status: 503 })
  assert.equal(requests.length, 3)
  const limited = '{"data":null,"errors":[{"message":"Later.","extensions":{"code":"rate_limit_exceeded","retryAfter":1}}]}'
  const graph = await refusing(1, 200, { 'content-type': 'application/json' }, limited)
  await graphql(graph.client, '{ clock { now } }')
  assert.equal(graph.requests.length, 2, 'GraphQL refuses with 200')
})

test('a POST isn’t sent elsewhere', async () => {
  const there = await refusing(0)
  const url = await listen((request, response) => response.writeHead(302, { Location: there.client.url + request.url }).end())
  const here = new Client({ url, key: 'a' })
  await assert.rejects(missions.create(here, { body: brief }), { status: 302, code: 'unknown' })
  await missions.list(here)
  assert.deepEqual(
    there.requests.map(({ method }) => method),
    ['GET'],
  )
})

test('time and size', async () => {
  const url = await listen((request, response) => {
    if (request.url.startsWith('/v1/usage')) return // nothing ever comes
    response.writeHead(200, { 'content-type': 'application/json' })
    if (request.url.startsWith('/v1/tenant'))
      response.write('{"id":') // and nothing after it
    else response.end(`{"data":["${'x'.repeat(5000)}"]}`)
  })
  const { usage } = await import('@missiond/client')
  const client = new Client({ url, key: 'a', timeout: 200, attempts: 1, longestResponse: 1000 })
  const started = Date.now()
  await assert.rejects(usage.read(client), (error) => error instanceof ConnectionError && /200 ms/.test(error.message))
  await assert.rejects(tenant.read(client), ConnectionError)
  assert.ok(Date.now() - started < 5000)
  await assert.rejects(missions.list(client), /longer than 1000 bytes/)
  const reason = new Error('enough')
  const ended = AbortSignal.abort(reason)
  await assert.rejects(missions.list(client, {}, { signal: ended }), reason)
  const gone = new Client({ url: 'http://127.0.0.1:1', key: 'a', attempts: 2 })
  await assert.rejects(missions.list(gone), ConnectionError)
})
