import test from 'node:test'
import { accessible, fits, open, serve, settled } from './harness.mjs'

const service = await serve()
const mission = await service.mission('Accessible', { kpis: undefined })
await service.written(mission, 4)

const pages = ['/', '/missions', '/missions/new', '/inbox', `/missions/${mission.id}`, `/missions/${mission.id}/posts`, `/missions/${mission.id}/cycles`, `/missions/${mission.id}/brief`, '/calendar', '/calendar?view=month', '/activity', '/analytics', '/connections', '/settings/brand', '/settings/members', '/settings/keys', '/settings/webhooks', '/settings/usage', '/settings/sessions', '/settings/audit', '/settings/tenant']

for (const mode of ['light', 'dark']) {
  // In the dark only the colours differ.
  for (const width of mode === 'dark' ? [1440] : [1440, 360]) {
    test(`pages, ${mode}, ${width} wide`, async (t) => {
      const page = await open(t, service, '/inbox', { mode, width })
      for (const path of pages) {
        await page.goto(`${service.url}/console${path}`)
        await settled(page)
        for (const w of width < 500 ? [390, width] : [width]) await fits(page, path, w)
        await accessible(page, path, mode === 'dark' ? ['color-contrast'] : undefined)
        if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${path.replace(/\W+/g, '-').replace(mission.id, 'mission')}-${mode}-${width}.png` })
      }
    })
  }
  test(`dialogs, ${mode}`, async (t) => {
    const page = await open(t, service, '/inbox', { mode })
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
}
