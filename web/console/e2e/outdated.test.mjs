// Tier: full
import assert from 'node:assert/strict'
import test from 'node:test'
import { accessible, open, serve, settled } from './harness.mjs'

const service = await serve()
const gone = [/status of 404/, /dynamically imported module|preload CSS|new version/]
const unknown = (body) => body.replace(/"sha256Hash":"[^"]+"/, `"sha256Hash":"${'0'.repeat(64)}"`)

// old has the service refuse the documents of an operation, as it does those of a build
// that it no longer has.
async function old(page, operation) {
  await page.route('**/graphql', (route) => {
    const body = route.request().postData()
    return route.continue({ postData: JSON.parse(body).operationName === operation ? unknown(body) : body })
  })
}

const navigate = (page, name) =>
  page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name, exact: true }).click()

// reloaded follows the offer to load the page again, and waits for the page.
async function reloaded(page, heading) {
  await page.evaluate(() => (globalThis.before = true))
  await page.getByRole('button', { name: 'Reload' }).click()
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
  await settled(page)
  assert.equal(await page.evaluate(() => globalThis.before), undefined, 'the page was loaded again')
}

for (const kind of ['js', 'css']) {
  test(`a page whose ${kind} is gone offers to load the new version`, async (t) => {
    const page = await open(t, service, '/missions', { expected: gone })
    const files = `**/console/assets/Connections-*.${kind}`
    await page.route(files, (route) => route.fulfill({ status: 404, body: '404 page not found' }))
    await navigate(page, 'Connections')
    await page.getByRole('heading', { name: 'There is a new version', level: 1 }).waitFor()
    await accessible(page, 'the offer')
    await page.unroute(files)
    await reloaded(page, 'Connections')
  })
}

test('a page whose query the service no longer has offers to load the new version', async (t) => {
  const page = await open(t, service, '/missions', { expected: gone })
  await old(page, 'ConnectionsQuery')
  await navigate(page, 'Connections')
  await page.getByRole('heading', { name: 'There is a new version', level: 1 }).waitFor()
  await page.unrouteAll()
  await reloaded(page, 'Connections')
})

test('a change that the service no longer has isn’t made, and the new version is offered', async (t) => {
  const mission = await service.mission('Opened before')
  const page = await open(t, service, `/missions/${mission.id}`, { expected: gone })
  await page.route('**/graphql', (route) => {
    const body = route.request().postData()
    return route.continue({ postData: route.request().headers()['idempotency-key'] ? unknown(body) : body })
  })
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText(/new version.*Your change wasn’t saved/).waitFor()
  assert.equal((await service.rest('GET', `/missions/${mission.id}`)).status, 'active')
  await page.unrouteAll()
  await reloaded(page, 'Opened before')
})

test('a page whose events the service no longer has says so', async (t) => {
  const page = await open(t, service, '/missions', { expected: gone })
  await page.routeWebSocket(/\/graphql$/, (socket) => {
    const server = socket.connectToServer()
    socket.onMessage((message) => server.send(unknown(String(message))))
  })
  await page.reload()
  await page.getByText(/no longer updated/).waitFor()
  await page.unrouteAll()
  assert.equal(await page.getByText(/no longer updated/).count(), 1)
})
