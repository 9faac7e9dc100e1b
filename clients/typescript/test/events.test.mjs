import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client, follow, MissiondError, subscribe } from '@missiond/client'
import { bodyOf, listen, serve } from './service.mjs'

const service = await serve(17280)
const client = new Client({ url: service.url, key: service.key })

test('what ends a subscription', async () => {
  const nobody = new Client({ url: service.url, key: 'cms_live_nobody' })
  await assert.rejects(follow(nobody).next(), { status: 401 })
  await assert.rejects(follow(client, { after: 'evt_no' }).next(), (error) => error instanceof MissiondError && error.field === 'after')
  await assert.rejects(subscribe(client, 'subscription { nothing }').next(), MissiondError)
  const reason = new Error('enough')
  const ended = new AbortController()
  setTimeout(() => ended.abort(reason), 300)
  await assert.rejects(async () => {
    for await (const { changes } of subscribe(client, 'subscription { changes { kinds } }', {}, { signal: ended.signal })) {
      assert.ok(changes.kinds.length > 0)
    }
  }, reason)
})

// graph returns a client of a server that answers GraphQL requests one after another, and the requests.
async function graph(...answers) {
  const requests = []
  const url = await listen(async (request, response) => {
    requests.push(JSON.parse(await bodyOf(request)))
    const answer = answers.shift()
    if (answer === undefined) return response.socket.destroy()
    if (!Array.isArray(answer)) return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const chunk of answer) {
      response.write(chunk)
      await new Promise((done) => setTimeout(done, 20))
    }
    response.end()
  })
  return { client: new Client({ url, key: 'a' }), requests }
}

const row = (n) => ({ id: `evt_${n}`, type: 'CONTENT_REVIEW_REQUESTED', createdAt: '2026-11-01T00:00:00Z', data: { n } })
const next = (n) => `event: next\ndata: ${JSON.stringify({ data: { events: row(n) } })}\n\n`
const rows = (...ns) => ({ edges: ns.map((n) => ({ node: row(n) })) })

test('an empty log, and connections that are cut', async () => {
  const { client, requests } = await graph(
    { data: { events: rows() } },
    { data: { oldest: rows(), wanted: rows() } },
    { data: { oldest: rows(1), wanted: rows(1) } },
    [':\n\n', next(2).slice(0, 30), next(2).slice(30) + ': ping\n\n' + next(3) + next(4).slice(0, -2)], // cut before it ends
    [next(4).replaceAll('\n', '\r\n'), 'event: complete\ndata:\n\n'],
  )
  const got = []
  for await (const event of follow(client)) got.push(event)
  assert.deepEqual(
    got.map(({ id }) => id),
    ['evt_1', 'evt_2', 'evt_3', 'evt_4'],
  )
  assert.deepEqual(got[0], { id: 'evt_1', type: 'content.review_requested', created_at: '2026-11-01T00:00:00Z', data: { n: 1 } })
  assert.deepEqual(
    requests.slice(3).map(({ variables }) => variables.after),
    ['evt_1', 'evt_3'],
  )
})

test('a subscription that is refused, and one that never connects', async () => {
  const refused = { errors: [{ message: 'No.', extensions: { code: 'forbidden', requestId: 'req_1' } }] }
  const json = await graph(refused)
  await assert.rejects(subscribe(json.client, 'subscription { x }').next(), { code: 'forbidden', requestId: 'req_1' })
  const later = await graph([`event: next\ndata: ${JSON.stringify(refused)}\n\n`])
  await assert.rejects(subscribe(later.client, 'subscription { x }').next(), { code: 'forbidden' })
  assert.equal(later.requests.length, 1)
  const gone = await graph()
  const lost = []
  const never = subscribe(gone.client, 'subscription { x }', {}, { attempts: 3, onLost: (error) => lost.push(error.name) })
  await assert.rejects(never.next(), { name: 'ConnectionError' })
  assert.deepEqual(lost, ['ConnectionError', 'ConnectionError'])
})
