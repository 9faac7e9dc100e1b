// Tier: full
import assert from 'node:assert/strict'
import test from 'node:test'
import { open, serve, settled, until } from './harness.mjs'

const service = await serve()
const mission = await service.mission('Slow', await service.later())
const [post, second] = await service.written(mission, 2)

const operation = (request) => JSON.parse(request.postData()).operationName
const isChange = (request) => !!request.headers()['idempotency-key']

// slow has the service answer nothing until it is let go, and counts what waits and the changes that are sent.
async function slow(page) {
  const held = { changes: [], waiting: 0, letGo: undefined }
  const gone = new Promise((done) => (held.letGo = done))
  await page.route('**/graphql', async (route) => {
    if (isChange(route.request())) held.changes.push(operation(route.request()))
    held.waiting++
    await gone
    held.waiting--
    await route.continue()
  })
  return held
}

const go = (page, name) => page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name }).click()

test('a page that is slow to come shows that it comes, and going elsewhere isn’t undone', async (t) => {
  const page = await open(t, service, '/missions')
  const held = await slow(page)
  await go(page, 'Connections')
  await page.locator('main .skeleton').first().waitFor()
  await go(page, 'Activity')
  held.letGo()
  await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor()
  await until('what was asked for goes on', () => held.waiting === 0)
  await settled(page)
  assert.match(page.url(), /\/activity$/)
  await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor()
})

test('a search that is typed while the service is slow is searched for as it was typed', async (t) => {
  const page = await open(t, service, '/posts')
  const held = await slow(page)
  const box = page.getByRole('searchbox')
  await box.click()
  await page.keyboard.type('camera')
  await until('it is asked for', () => held.waiting > 0)
  await page.keyboard.type(' that nobody has')
  held.letGo()
  await until('the search', () => page.url().includes('nobody'))
  assert.equal(await box.inputValue(), 'camera that nobody has')
  await page.getByText('No post is like that').waitFor()
  assert.equal(await box.inputValue(), 'camera that nobody has')
  assert.ok(await box.evaluate((e) => e === document.activeElement))
})

test('a press is sent once, however often it is pressed while the service is slow', async (t) => {
  const page = await open(t, service, `/missions/${mission.id}`)
  const held = await slow(page)
  const pause = page.getByRole('button', { name: 'Pause', exact: true })
  await pause.click()
  await until('it is sent', () => held.changes.length > 0)
  await pause.click({ force: true, timeout: 500 }).catch(() => {}) // where it is still there
  held.letGo()
  await until('the pause', async () => (await service.rest('GET', `/missions/${mission.id}`)).status === 'paused')
  await page.getByRole('button', { name: 'Resume' }).waitFor()
  assert.equal(held.changes.length, 1)
  await service.rest('POST', `/missions/${mission.id}/resume`)
})

test('a post that is written while the service is slow is made once', async (t) => {
  const page = await open(t, service, '/calendar')
  await page.keyboard.press('n')
  const text = page.getByRole('dialog', { name: 'Write a post' }).getByRole('textbox', { name: 'Text', exact: true })
  const checked = page.waitForResponse((r) => r.url().endsWith('/graphql') && r.request().postData().includes('however slow'))
  await text.fill('Written once, however slow it is.')
  await checked
  const held = await slow(page)
  await text.press('Control+Enter')
  await until('it is sent', () => held.changes.length > 0)
  await text.press('Control+Enter')
  held.letGo()
  await text.waitFor({ state: 'detached' })
  assert.equal(held.changes.filter((c) => c === 'useSendMutation').length, 1)
})

test('a decision is shown at once, made once, and the next post is there', async (t) => {
  const page = await open(t, service, `/inbox/${post.id}`)
  const held = await slow(page)
  await page.keyboard.press('a')
  await page.locator(`.inbox a[href$="/inbox/${post.id}"]`).waitFor({ state: 'detached' })
  assert.equal((await service.rest('GET', `/content/${post.id}`)).status, 'pending_review')
  held.letGo()
  await page.getByText('Approved.').waitFor()
  await until('the approval', async () => (await service.rest('GET', `/content/${post.id}`)).status !== 'pending_review')
  assert.equal(held.changes.length, 1)
})

test('a page that is opened while the service answers nothing goes on by itself', async (t) => {
  const page = await open(t, service, '/missions', { expected: [/Failed to load resource/] })
  await page.route('**/graphql', (route) => route.abort('connectionrefused'))
  await page.goto(`${service.url}/console/inbox/${second.id}`)
  await page.getByText('This takes longer than usual').waitFor()
  await page.unroute('**/graphql')
  await page.getByRole('article').first().waitFor()
})

test('a page that is read in vain says so, and goes on by itself', async (t) => {
  const page = await open(t, service, '/missions', { expected: [/Failed to load resource/] })
  await page.route('**/graphql', (route) => route.abort('connectionrefused')) // its socket is still open
  await go(page, 'Connections')
  await page.getByText(/Not connected/).waitFor()
  await page.unroute('**/graphql')
  await page.getByRole('heading', { name: 'Connections', level: 1 }).waitFor()
  await page.getByText(/Not connected/).waitFor({ state: 'detached' })
})

test('a page whose socket alone can’t be opened says so, and goes on by itself', async (t) => {
  const page = await open(t, service, '/missions', { expected: [/WebSocket/] })
  let down = true
  await page.routeWebSocket(/\/graphql$/, (socket) => (down ? undefined : socket.connectToServer()))
  await page.goto(`${service.url}/console/missions`)
  await page.locator(`a[href$="/missions/${mission.id}"]`).first().waitFor()
  await page.getByText(/Not connected/).waitFor()
  down = false
  await page.getByText(/Not connected/).waitFor({ state: 'detached' })
})
