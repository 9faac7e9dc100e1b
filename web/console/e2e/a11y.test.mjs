// Tier: full
import test from 'node:test'
import { accessible, fits, look, open, serve, settled } from './harness.mjs'

const service = await serve()
const mission = await service.mission('Accessible', { kpis: undefined })
const [post] = await service.written(mission, 4)
await service.rest('POST', '/webhooks', { url: `http://127.0.0.1:9/${'a-long-address-'.repeat(20)}`, events: ['content.published'] })

await service.picture('A red door')

const pages = [
  '/',
  '/missions',
  '/missions/new',
  '/inbox',
  '/replies',
  `/missions/${mission.id}`,
  `/missions/${mission.id}/posts`,
  `/missions/${mission.id}/cycles`,
  `/missions/${mission.id}/review`,
  `/missions/${mission.id}/brief`,
  '/calendar',
  '/posts',
  `/posts/${post.id}`,
  '/calendar?view=month',
  '/library',
  '/activity',
  '/analytics',
  '/connections',
  '/settings/brand',
  '/settings/members',
  '/settings/keys',
  '/settings/agents',
  '/agents/authorize',
  '/settings/webhooks',
  '/settings/own',
  '/settings/usage',
  '/settings/sessions',
  '/settings/audit',
  '/settings/tenant',
]

// Pages are loaded narrow here, and wide by most of the other tests.
test('pages', async (t) => {
  const page = await open(t, service, '/inbox', { width: 360 })
  for (const path of pages) {
    await page.goto(`${service.url}/console${path}`)
    await settled(page)
    await fits(page, path, 1440)
    await accessible(page, path)
    for (const width of [720, 390, 360]) await fits(page, path, width)
    await look(page, `${path}, narrow`)
  }
})

test('dialogs', async (t) => {
  const page = await open(t, service, '/inbox')
  for (const key of ['r', 'g r', '?', 'Control+k']) {
    for (const k of key.split(' ')) await page.keyboard.press(k)
    await page.locator('dialog[open]').waitFor()
    await accessible(page, `the dialog of ${key}`)
    await page.keyboard.press('Escape')
    await page.locator('dialog[open]').waitFor({ state: 'detached' })
  }
  await page.keyboard.press('e')
  await page.getByRole('form').waitFor()
  await accessible(page, 'the editor')
})
