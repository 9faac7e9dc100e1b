// Tier: full
import assert from 'node:assert/strict'
import test from 'node:test'
import { open, serve, settled, until } from './harness.mjs'

const network = [/ERR_CONNECTION|ERR_EMPTY_RESPONSE|Failed to load resource|WebSocket connection|^Offline: /]

const service = await serve()

// sockets returns how a page's sockets are cut, and later let through again.
async function sockets(page) {
  const open = new Set()
  let down = false
  await page.routeWebSocket(/\/graphql$/, (socket) => {
    if (down) return void socket.close({ code: 1012 })
    open.add([socket, socket.connectToServer()])
  })
  return {
    async cut() {
      down = true
      for (const ends of open) for (const end of ends) await end.close({ code: 1012 })
      open.clear()
      await page.getByText(/Not connected/).waitFor()
    },
    async mend() {
      down = false
      await page.evaluate(() => dispatchEvent(new Event('online')))
      await page.getByText(/Not connected/).waitFor({ state: 'detached' })
    },
  }
}

test('what first happens while the socket is lost is shown once it is back', async (t) => {
  const page = await open(t, service, '/', { expected: network })
  const socket = await sockets(page)
  await page.goto(`${service.url}/console/activity`)
  await page.getByText('No activity yet').waitFor()
  await socket.cut()
  const mission = await service.mission('Unseen')
  await service.written(mission, 4)
  await socket.mend()
  await page.getByRole('link', { name: 'Unseen' }).first().waitFor()
  await service.rest('POST', `/missions/${mission.id}/pause`)
  await service.rest('DELETE', `/missions/${mission.id}`)
})

test('the service is restarted: nothing is lost, nothing is shown twice', async (t) => {
  const mission = await service.mission('Restarted')
  await service.written(mission, 4)
  const page = await open(t, service, '/inbox', { expected: network })
  const rows = page.getByRole('region', { name: 'Posts waiting' }).getByRole('listitem')
  await until('four rows', async () => (await rows.count()) === 4)
  await service.stop()
  await page.getByText(/Not connected/).waitFor()
  const box = () => page.getByRole('toolbar', { name: 'Decide' }).boundingBox()
  const { y, height } = await box()
  assert.ok(y + height <= 901, 'the buttons stay in the window')
  await page.keyboard.press('a')
  await page.getByText(/Your change isn’t saved yet/).waitFor()
  await page.waitForTimeout(12_000) // longer than a change would be tried without the banner
  await service.start()
  await page.getByText('Approved.').waitFor() // it is sent until there is an answer
  assert.equal(await page.getByText(/Your change isn’t saved yet/).count(), 0)
  await page.getByText(/Not connected/).waitFor({ state: 'detached' })
  await until('three rows', async () => (await rows.count()) === 3)
  const [post] = await service.posts(`mission_id=${mission.id}&status=pending_review`)
  await service.rest('POST', `/content/${post.id}/approve`)
  await until('two rows', async () => (await rows.count()) === 2)
})

// decisions has each decision's request of a page go through handle. A mutation has a key. The page is loaded anew: one that is
// there already may send something past its new route.
async function decisions(page, handle) {
  await page.route('**/graphql', (route) => (route.request().headers()['idempotency-key'] ? handle(route) : route.continue()))
  await page.reload()
  await settled(page)
}

test('a page that couldn’t be loaded goes on by itself, and what waits to be saved isn’t lost of it', async (t) => {
  const mission = await service.mission('Away', await service.later())
  const [post] = await service.written(mission, 1)
  const page = await open(t, service, `/inbox/${post.id}`, { expected: [...network, /dynamically imported module|preload CSS/] })
  await service.stop()
  await page.getByText(/Not connected/).waitFor()
  await page.keyboard.press('a')
  await page.getByText(/Your change isn’t saved yet/).waitFor()
  await page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: 'Connections' }).click()
  await page.getByText(/The service can’t be reached/).waitFor()
  await service.start()
  await page.getByRole('heading', { name: 'Connections', level: 1 }).waitFor()
  await until('the approval', async () => (await service.rest('GET', `/content/${post.id}`)).status !== 'pending_review')
})

test('an approval whose answer is lost is one approval, and said to be', async (t) => {
  const mission = await service.mission('Lost', await service.later())
  const [post] = await service.written(mission, 1)
  const page = await open(t, service, `/inbox/${post.id}`, { expected: network })
  let sent = 0
  await decisions(page, async (route) => {
    if (++sent > 1) return route.continue()
    await route.fetch()
    await route.abort('connectionreset')
  })
  await page.keyboard.press('a')
  await page.getByText('Approved.').waitFor()
  const events = await service.rest('GET', `/events?mission_id=${mission.id}&type=content.approved`)
  assert.deepEqual([sent, events.data.length], [2, 1])
})

test('a decision that gets no answer at all isn’t said to be unmade, and made again it is the same', async (t) => {
  const mission = await service.mission('Unanswered', await service.later())
  const [post] = await service.written(mission, 1)
  const page = await open(t, service, `/inbox/${post.id}`, { expected: network })
  const keys = new Set()
  let down = true
  await decisions(page, (route) => {
    keys.add(route.request().headers()['idempotency-key'])
    return down ? route.abort('connectionreset') : route.continue()
  })
  await page.keyboard.press('a')
  await page.getByText('Your change may or may not be saved').waitFor()
  await page.locator(`a[href$="/inbox/${post.id}"]`).waitFor()
  down = false
  await page.locator(`a[href$="/inbox/${post.id}"]`).click()
  await page.keyboard.press('a')
  await page.getByText('Approved.').waitFor()
  assert.equal(keys.size, 1)
})

test('a decision that the service takes but never answers is given up after a time, and made again it is the same', async (t) => {
  const mission = await service.mission('Kept', await service.later())
  const [post] = await service.written(mission, 1)
  const page = await open(t, service, `/inbox/${post.id}`, { expected: network })
  const keys = []
  await decisions(page, (route) => keys.push(route.request().headers()['idempotency-key']) > 1 && route.continue())
  await page.evaluate(() => {
    AbortSignal.timeout = (ms) => {
      const wait = new AbortController()
      globalThis.expire = () => (wait.abort(), ms)
      return wait.signal
    }
  })
  await page.keyboard.press('a')
  await until('the decision', () => keys.length > 0)
  assert.equal(await page.evaluate(() => expire()), 90_000)
  await page.getByText('Your change may or may not be saved').waitFor()
  await page.locator(`a[href$="/inbox/${post.id}"]`).click()
  await page.keyboard.press('a')
  await page.getByText('Approved.').waitFor()
  assert.deepEqual(keys, [keys[0], keys[0]])
})

test('what a mission does while the socket is lost is in its log once', async (t) => {
  const mission = await service.mission('Logged', { ...(await service.later()) })
  await service.written(mission, 4)
  const page = await open(t, service, '/', { expected: network })
  const socket = await sockets(page)
  await page.goto(`${service.url}/console/missions/${mission.id}`)
  const log = page.getByRole('list', { name: 'Recent activity' }).getByRole('listitem')
  const times = async () => (await log.getByRole('time').evaluateAll((all) => all.map((e) => e.dateTime))).map((at) => Date.parse(at))
  const events = async () =>
    (await service.rest('GET', `/events?mission_id=${mission.id}&limit=12`)).data.map((e) => Date.parse(e.created_at))
  const same = () => until('the same log as the service', async () => `${await times()}` === `${await events()}`)
  await same()
  await socket.cut()
  const before = await times()
  for (const post of (await service.posts(`mission_id=${mission.id}&status=pending_review`)).slice(0, 3))
    await service.rest('POST', `/content/${post.id}/reject`, { reason: 'Unseen' })
  assert.equal(`${await times()}`, `${before}`, 'the socket is lost')
  await socket.mend()
  await same()
  assert.ok((await log.getByText('rejected').count()) >= 3)
  assert.deepEqual(
    (await log.getByRole('time').allInnerTexts()).filter((at) => at.startsWith('in ')),
    [],
    'what happened isn’t ahead',
  )
})
