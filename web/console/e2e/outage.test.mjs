import assert from 'node:assert/strict'
import test from 'node:test'
import { open, serve, until } from './harness.mjs'

const network = [/ERR_CONNECTION|ERR_EMPTY_RESPONSE|Failed to load resource|WebSocket connection|^Offline: /]

const service = await serve()

test('the service is restarted: nothing is lost, nothing is shown twice', async (t) => {
  const mission = await service.mission('Restarted')
  await service.written(mission, 4)
  const page = await open(t, service, '/inbox', { expected: network })
  const rows = page.getByRole('region', { name: 'Posts waiting' }).getByRole('listitem')
  await until('four rows', async () => (await rows.count()) === 4)
  await service.stop()
  await page.getByText(/Not connected/).waitFor()
  await page.keyboard.press('a')
  await service.start()
  await page.getByText('Approved.').waitFor() // it is sent until there is an answer
  await page.getByText(/Not connected/).waitFor({ state: 'detached' })
  await until('three rows', async () => (await rows.count()) === 3)
  const [post] = await service.posts(`mission_id=${mission.id}&status=pending_review`)
  await service.rest('POST', `/content/${post.id}/approve`)
  await until('two rows', async () => (await rows.count()) === 2)
})

// decisions has each decision's request of a page go through handle.
const decisions = (page, handle) => page.route('**/graphql', (route) => (route.request().postData()?.includes('Approve') ? handle(route) : route.continue()))

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

test('a decision that gets no answer at all isn’t said to be unmade', async (t) => {
  const mission = await service.mission('Unanswered', await service.later())
  const [post] = await service.written(mission, 1)
  const page = await open(t, service, `/inbox/${post.id}`, { expected: network })
  await decisions(page, (route) => route.abort('connectionreset'))
  await page.keyboard.press('a')
  await page.getByText('Whether your change was made isn’t known').waitFor({ timeout: 25_000 })
  await page.locator(`a[href$="/inbox/${post.id}"]`).waitFor()
})
