import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client, webhooks } from '@missiond/client'
import { verify, WebhookError } from '@missiond/client/verify'
import { bodyOf, listen, serve } from './service.mjs'

const service = await serve()
const client = new Client({ url: service.url, key: service.key })
const received = []
const url = await listen(async (request, response) => {
  received.push({ body: await bodyOf(request), headers: request.headers })
  response.end()
})

// delivered returns a request that the service made to an endpoint just now.
async function delivered(id) {
  const { length } = received
  await webhooks.test(client, { id })
  assert.equal(received.length, length + 1)
  return received[length]
}

test('a request of the service', async () => {
  const { id, secret } = await webhooks.create(client, { body: { url, events: ['content.published'] } })
  const { body, headers } = await delivered(id)
  const now = Number(headers['webhook-timestamp']) * 1000
  const event = await verify(body, headers, secret, { now })
  assert.equal(event.type, 'webhook.test')
  assert.equal(event.id, headers['webhook-id'])
  assert.deepEqual(await verify(body.toString(), new Headers(headers), ['whsec_AAAA', secret], { now }), event)

  const refused = (message, ...args) => assert.rejects(verify(...args), (e) => e instanceof WebhookError && message.test(e.message))
  await refused(/no signature/, body.toString().replace('webhook.test', 'content.test'), headers, secret, { now })
  await refused(/no signature/, body, { ...headers, 'webhook-id': 'evt_1' }, secret, { now })
  await refused(/no signature/, body, { ...headers, 'webhook-timestamp': String(now / 1000 + 1) }, secret, { now })
  await refused(/no signature/, body, headers, 'whsec_AAAA', { now })
  await refused(/no signature/, body, { ...headers, 'webhook-signature': 'v1,' }, secret, { now })
  await refused(/no signature/, body, { ...headers, 'webhook-signature': headers['webhook-signature'].replace('v1,', 'v2,') }, secret, {
    now,
  })
  await refused(/within 300 seconds/, body, headers, secret, { now: now + 301_000 })
  await refused(/within 300 seconds/, body, headers, secret, { now: now - 301_000 })
  await verify(body, headers, secret, { now: now + 301_000, tolerance: 600 })
  await refused(/Unix time/, body, { ...headers, 'webhook-timestamp': 'NaN' }, secret, { now })
  await refused(/is missing/, body, {}, secret, { now })
  await assert.rejects(verify(body, headers, 'whsec_-', { now }), TypeError)

  const rotated = await webhooks.rotateSecret(client, { id })
  assert.notEqual(rotated.secret, secret)
  const both = await delivered(id)
  assert.ok(both.headers['webhook-signature'].split(' ').length > 1, 'several signatures')
  const later = { now: Number(both.headers['webhook-timestamp']) * 1000 }
  await verify(both.body, both.headers, secret, later)
  await verify(both.body, both.headers, rotated.secret, later)
})

test('secrets of one’s own', async () => {
  for (const secret of ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'correct horse battery staple', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']) {
    const { id } = await webhooks.create(client, { body: { url, events: ['content.published'], secret } })
    const { body, headers } = await delivered(id)
    await verify(body, headers, secret, { now: Number(headers['webhook-timestamp']) * 1000 })
    await webhooks.delete(client, { id })
  }
})
