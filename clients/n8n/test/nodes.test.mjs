import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { Host, manifest } from './host.mjs'
import { bodyOf, firstExample, listen, patience, serve, until } from './service.mjs'

// node returns a workflow of one node of missiond.
const node = (parameters, more = {}) => ({
  nodes: [{ id: 'n1', name: 'Node', type: 'n8n-nodes-missiond.missiond', typeVersion: 1, position: [0, 0], parameters, ...more }],
  connections: {},
})

const create = (more) => ({
  resource: 'mission',
  operation: 'create',
  name: 'From n8n',
  objectives: ['Test the nodes'],
  platforms: ['mastodon'],
  durationDays: 7,
  options: {
    description: 'Linseed oil keeps the wood warm. Legs are joined with wedges.',
    startImmediately: false,
    requireApproval: true,
    postsPerDay: 2,
  },
  ...more,
})

test('the package', () => {
  assert.equal(manifest.dependencies, undefined)
  assert.ok(manifest.keywords.includes('n8n-community-node-package'))
  for (const file of [...manifest.n8n.nodes, ...manifest.n8n.credentials, 'dist/nodes/Missiond/missiond.svg']) {
    assert.ok(existsSync(new URL(`../node_modules/n8n-nodes-missiond/${file}`, import.meta.url)), file)
  }
})

test('missions and posts', async () => {
  const service = await serve(1)
  const run = (parameters, items) => new Host(service, node(parameters)).run('Node', items)
  const [{ json: mission, pairedItem }] = await run(create())
  assert.match(mission.id, /^msn_/)
  assert.deepEqual(pairedItem, { item: 0 })
  const id = '={{ $json.id }}'
  const input = [{ json: mission }]
  const now = async () => (await run({ resource: 'mission', operation: 'get', id }, input))[0].json
  assert.equal((await now()).constraints.posts_per_day, 2)
  for (const [operation, status] of [
    ['start', 'active'],
    ['pause', 'paused'],
    ['resume', 'active'],
  ]) {
    await run({ resource: 'mission', operation, id }, input)
    assert.equal((await now()).status, status, operation)
  }

  const at = new Date(Date.now() + 48 * 3_600_000).toISOString()
  const [{ json: post }] = await run(
    { resource: 'post', operation: 'create', missionId: id, platform: 'mastodon', text: 'A post of our own', scheduledAt: at },
    input,
  )
  assert.match(post.id, /^cnt_/)
  const read = async () => (await run({ resource: 'post', operation: 'get', id }, [{ json: post }]))[0].json
  assert.equal((await read()).text, 'A post of our own')
  const list = (more) => run({ resource: 'post', operation: 'getMany', filters: { mission_id: mission.id }, ...more })
  assert.ok((await list({ returnAll: true })).some(({ json }) => json.id === post.id))
  assert.equal((await list({ returnAll: false, limit: 1 })).length, 1)
  const waiting = await until('a post to review', async () => {
    const posts = await list({ returnAll: true, filters: { mission_id: mission.id, status: 'pending_review' } })
    return posts.length > 1 && posts
  })
  const [first, second] = waiting.map(({ json }) => json.id)
  const [approved] = await run({ resource: 'post', operation: 'approve', id: first })
  assert.notEqual(approved.json.status, 'pending_review')
  const [rejected] = await run({ resource: 'post', operation: 'reject', id: second, reason: 'Not this one' })
  assert.equal(rejected.json.status, 'rejected')

  for (let n = 0; n < 3; n++) await run(create({ name: `Listed ${n}` }))
  const drafts = await run({ resource: 'mission', operation: 'getMany', returnAll: true, status: 'draft' })
  assert.equal(drafts.filter(({ json }) => json.name.startsWith('Listed')).length, 3)
  assert.equal((await run({ resource: 'mission', operation: 'getMany', returnAll: false, limit: 2, status: '' })).length, 2)
  await run({ resource: 'mission', operation: 'complete', id }, input)
  assert.equal((await now()).status, 'completed')
})

test('errors', async () => {
  const service = await serve(1)
  await assert.rejects(new Host(service, node(create({ durationDays: 400 }))).run('Node'), (error) => {
    assert.equal(error.constructor.name, 'NodeApiError')
    assert.equal(error.httpCode, '400')
    assert.match(error.description, /code: invalid_request, field: duration_days, request: \S/)
    return true
  })
  const goesOn = new Host(
    service,
    node({ resource: 'mission', operation: 'get', id: '={{ $json.id }}' }, { onError: 'continueRegularOutput' }),
  )
  const out = await goesOn.run('Node', [{ json: { id: 'msn_no' } }, { json: { id: '..' } }])
  assert.equal(out.length, 2)
  for (const { json } of out) assert.ok(json.error)
  assert.equal(goesOn.requests.length, 1, '".." must not be requested')
  const host = new Host(service, node(create({ name: '' })))
  assert.ok(host.problems('Node').parameters.name, 'n8n doesn’t say that the name is missing')
})

test('n8n’s own repetitions make nothing twice', async () => {
  const service = await serve(1)
  const host = new Host(service, node(create()))
  host.execution = 'e1'
  const [first] = await host.run('Node')
  const [again] = await host.run('Node')
  assert.equal(again.json.id, first.json.id)
  host.runIndex = 1 // the next turn of a loop
  const [next] = await host.run('Node')
  assert.notEqual(next.json.id, first.json.id)
  const two = await host.run('Node', [{ json: {} }, { json: {} }])
  assert.equal(two[0].json.id, next.json.id)
  assert.notEqual(two[1].json.id, two[0].json.id)
})

test('a refusal is waited out', async () => {
  let calls = 0
  const url = await listen(async (request, response) => {
    await bodyOf(request)
    if (++calls === 1) return response.writeHead(429, { 'Retry-After': '1' }).end('{}')
    if (request.url.includes('msn_far')) return response.writeHead(429, { 'Retry-After': '3600' }).end('{}')
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"msn_1"}')
  })
  const started = Date.now()
  const get = (id) => new Host({ url, key: 'a' }, node({ resource: 'mission', operation: 'get', id })).run('Node')
  assert.deepEqual((await get('msn_1'))[0].json, { id: 'msn_1' })
  assert.ok(Date.now() - started >= 950)
  await assert.rejects(get('msn_far'), /HTTP status 429/)
  assert.equal(calls, 3)
  const elsewhere = await listen((_, response) => response.writeHead(302, { Location: url }).end())
  await assert.rejects(new Host({ url: elsewhere, key: 'a' }, node(create())).run('Node'), /HTTP status 302/)
  assert.equal(calls, 3)
})

test('the workflow of the README', { timeout: 4 * patience }, async () => {
  const service = await serve(1)
  const { language, text } = firstExample(new URL('../node_modules/n8n-nodes-missiond/README.md', import.meta.url))
  assert.equal(language, 'json')
  assert.ok(text.trim().split('\n').length <= 10)
  const workflow = JSON.parse(text)
  const host = new Host(service, workflow)
  for (const { name } of workflow.nodes) assert.equal(host.problems(name), null, `n8n finds fault with ${name}`)

  const received = []
  const url = await listen(async (request, response) => {
    const body = await bodyOf(request)
    const { status, items } = await host.receive('Published', body, request.headers)
    received.push({ body, headers: request.headers, status, items })
    response.writeHead(status).end()
  })
  const api = async (method, path, body) => {
    const headers = { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' }
    const response = await fetch(service.url + path, { method, headers, body: body && JSON.stringify(body) })
    return response.json()
  }
  const endpoints = async () => (await api('GET', '/v1/webhooks')).data

  // Activated, it has one endpoint; activated again, the same.
  assert.equal(await host.hook('Published', 'checkExists', url), false)
  await host.hook('Published', 'create', url)
  assert.equal(await host.hook('Published', 'checkExists', url), true)
  const [endpoint, ...others] = await endpoints()
  assert.equal(others.length, 0)
  assert.equal(endpoint.url, url)
  assert.deepEqual(endpoint.events, ['content.published'])

  // A test is accepted, and starts nothing.
  const tested = await api('POST', `/v1/webhooks/${endpoint.id}/test`)
  assert.ok(!tested.error, JSON.stringify(tested))
  assert.equal(received[0].status, 200)
  assert.equal(received[0].items, undefined)

  // A post that is published comes out of the second node.
  const mission = await api('POST', '/v1/missions', {
    name: 'Published',
    description: 'Linseed oil keeps the wood warm. Legs are joined with wedges.',
    objectives: ['Test the trigger'],
    platforms: ['mastodon'],
    duration_days: 3,
    constraints: { posts_per_day: 1, require_approval: false },
    start_immediately: true,
  })
  const soon = new Date(Date.now() + 2000).toISOString()
  const post = await api('POST', '/v1/content', { mission_id: mission.id, platform: 'mastodon', text: 'Out soon', scheduled_at: soon })
  const started = await until('the event', () => received.find(({ items }) => items?.[0].json.data.content_id === post.id))
  assert.equal(started.items[0].json.type, 'content.published')
  const [out] = await host.run('Its post', started.items)
  assert.equal(out.json.text, 'Out soon')
  assert.equal(out.json.status, 'published')

  // What isn't signed starts nothing.
  const { body, headers } = started
  for (const [what, forgedBody, forged] of [
    ['another body', Buffer.concat([body, Buffer.from(' ')]), headers],
    ['no signature', body, {}],
    ['another signature', body, { ...headers, 'webhook-signature': 'v1,AAAA' }],
    ['another time', body, { ...headers, 'webhook-timestamp': '1700000000' }],
    ['no body', undefined, headers],
  ]) {
    assert.deepEqual(await host.receive('Published', forgedBody, forged), { status: 401, items: undefined }, what)
  }
  assert.equal((await host.receive('Published', body, headers)).status, 200)
  host.workflow.getNode('Published').parameters.missionId = 'msn_other'
  assert.deepEqual(await host.receive('Published', body, headers), { status: 200, items: undefined })

  // With other events it is registered anew, and deactivated not at all.
  host.workflow.getNode('Published').parameters.events = ['mission.created', 'content.published']
  assert.equal(await host.hook('Published', 'checkExists', url), false)
  await host.hook('Published', 'create', url)
  assert.deepEqual(
    (await endpoints()).map((e) => e.events.length),
    [2],
  )
  await host.hook('Published', 'delete', url)
  assert.deepEqual(await endpoints(), [])
  await host.hook('Published', 'delete', url) // it is gone already
  assert.deepEqual(await host.receive('Published', body, headers), { status: 401, items: undefined })
})
