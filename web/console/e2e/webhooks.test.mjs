// Tier: full
import assert from 'node:assert/strict'
import http from 'node:http'
import test from 'node:test'
import { accessible, fits, open, prepare, settled, until } from './harness.mjs'

const service = prepare()
await service.start(3600) // attempts are hours apart

// receive starts a receiver, which responds as its status says.
async function receive(t) {
  const receiver = { status: 503, got: [] }
  const server = http.createServer((q, r) => {
    let body = ''
    q.on('data', (d) => (body += d)).on('end', () => {
      receiver.got.push({ body, headers: q.headers })
      r.writeHead(receiver.status).end()
    })
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => (server.close(), server.closeAllConnections()))
  receiver.url = `http://127.0.0.1:${server.address().port}/in`
  return receiver
}

test('a failing endpoint is seen at a glance, mended, and sent what it missed', async (t) => {
  const receiver = await receive(t)
  const { id, secret } = await service.rest('POST', '/webhooks', { url: receiver.url, events: ['mission.created', 'mission.started'] })
  await service.mission('Missed')
  await until('a failure', async () => (await service.rest('GET', `/webhooks/${id}`)).status === 'failing')
  await until('both', async () => (await service.rest('GET', `/webhooks/${id}/deliveries?status=failed`)).data.length === 2)
  const page = await open(t, service, '/settings/webhooks')
  await page.getByRole('combobox', { name: 'Accepted and failed' }).selectOption('Last 7 days')
  const row = page.getByRole('row').filter({ hasText: receiver.url })
  await row.getByText(/^since .+: 2 events undelivered$/).waitFor()
  await row.getByText('mission.created, mission.started').waitFor()
  await row.getByRole('cell', { name: '0 (0 %)' }).waitFor()
  await row.getByText(/^503 in \d+ ms$/).waitFor()
  await accessible(page, 'the endpoints')
  for (const width of [1024, 720, 390]) await fits(page, 'the endpoints', width)
  await page.setViewportSize({ width: 1440, height: 900 })

  await row.getByRole('link').click()
  await page.getByText(/^Failing since .+: 2 events undelivered\. We keep sending new events/).waitFor()
  const resend = page.getByRole('button', { name: 'Resend the 2 that failed' })
  assert.equal(await resend.count(), 0, 'what fails isn’t sent again before it works')
  receiver.status = 200
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText(/^The test was accepted: 200 in \d+ ms\.$/).waitFor()
  const before = receiver.got.length
  await resend.click()
  await page.getByText('2 events resent.').waitFor()
  await until('both again', () => receiver.got.length >= before + 2)
  await page.getByText(/2 events undelivered/).waitFor({ state: 'detached' })
  await page.getByRole('main').getByText('Active', { exact: true }).waitFor()

  // A delivery by keyboard, with what would be sent: the code beside it finds the signature right.
  const delivery = page.getByRole('button', { name: 'Mission created' }).first()
  await delivery.focus()
  await page.keyboard.press('Enter')
  const text = (name) => page.getByRole('region', { name, exact: true }).textContent()
  const headers = Object.fromEntries((await text('Headers')).split('\n').map((h) => [h.split(': ')[0].toLowerCase(), h.split(': ')[1]]))
  const body = await text('Payload')
  assert.ok(receiver.got.some((m) => m.body === body && m.headers['webhook-id'] === headers['webhook-id']))
  await page.getByText('How to verify a signature').click()
  const { verified } = await import(`data:text/javascript,${encodeURIComponent(await text('Code'))}`)
  const { now } = Date
  Date.now = () => Number(headers['x-svc-timestamp']) * 1000 // the service's clock is a fast one
  t.after(() => (Date.now = now))
  assert.equal(verified(body, headers, secret), true)
  assert.equal(verified(body, headers, `${secret}x`), false)
  assert.equal(verified(`${body} `, headers, secret), false)
  assert.equal(verified(body, {}, secret), false)
  Date.now = now
  await accessible(page, 'a delivery')
  for (const width of [1024, 720, 390]) await fits(page, 'a delivery', width)
})

test('a delivery leads to its post, and a viewer may look but not send', async (t) => {
  const receiver = await receive(t)
  receiver.status = 200
  const { id } = await service.rest('POST', '/webhooks', { url: receiver.url, events: ['content.created'] })
  const mission = await service.mission('Told of', { constraints: { require_approval: true } })
  const [post] = await service.written(mission, 1)
  await until('a delivery', async () => (await service.rest('GET', `/webhooks/${id}/deliveries?status=delivered`)).data.length > 0)
  const page = await open(t, service, `/settings/webhooks/${id}`, { width: 390, as: { email: 'viewer@example.com', role: 'viewer' } })
  assert.equal(await page.getByRole('button', { name: /Send|Resend|Actions/ }).count(), 0)
  await page.getByRole('button', { name: 'Post written' }).first().click()
  await page.getByRole('region', { name: 'Payload' }).first().waitFor()
  assert.equal(await page.getByRole('region', { name: 'Headers' }).count(), 0, 'a viewer gets no signature')
  await page.goto(`${service.url}/console/settings/webhooks`)
  await settled(page)
  await page.getByRole('row').filter({ hasText: receiver.url }).getByText('content.created').waitFor()
  await page.getByRole('link', { name: receiver.url }).click()
  await page.getByRole('region', { name: 'Deliveries' }).getByRole('link').first().click()
  await page.waitForURL(/posts\/cnt_/)
  assert.ok(post.id)
})

test('an endpoint is changed: what others change meanwhile stays', async (t) => {
  const { id } = await service.rest('POST', '/webhooks', { url: 'http://127.0.0.1:9/before', events: ['mission.created'] })
  const page = await open(t, service, `/settings/webhooks/${id}`)
  await page.getByRole('button', { name: 'Actions for the endpoint' }).click()
  await page.getByRole('menuitem', { name: 'Change' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change the endpoint' })
  await dialog.getByRole('checkbox', { name: 'Mission started' }).check()
  await service.rest('PUT', `/webhooks/${id}`, { url: 'http://127.0.0.1:9/moved' })
  await until(
    'the address',
    async () => (await dialog.getByRole('textbox', { name: 'Address' }).inputValue()) === 'http://127.0.0.1:9/moved',
  )
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const now = await service.rest('GET', `/webhooks/${id}`)
  assert.deepEqual([now.url, now.events], ['http://127.0.0.1:9/moved', ['mission.created', 'mission.started']])
})
