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
  await page.getByText('Your change wasn’t saved').waitFor()
  await until('the post is back', async () => (await rows.count()) === 4)
  await service.start()
  await page.getByText(/Not connected/).waitFor({ state: 'detached' })
  const [post] = await service.posts(`mission_id=${mission.id}&status=pending_review`)
  await service.rest('POST', `/content/${post.id}/approve`)
  await until('three rows', async () => (await rows.count()) === 3)
})
