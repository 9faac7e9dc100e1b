// Tier: full
// The page of a review link, without a script, as a client sees it on a phone.
import assert from 'node:assert/strict'
import test from 'node:test'
import AxeBuilder from '@axe-core/playwright'
import { launchBrowser, patience } from './service.mjs'
import { fits, serve, shown } from './harness.mjs'

const service = await serve()
const mission = await service.mission('Summer', { kpis: undefined })
await service.written(mission, 4)
const { url } = await service.rest('POST', `/missions/${mission.id}/review_links`, { name: 'Acme', expires_in_hours: 72, may_decide: true })
const browser = await launchBrowser()
test.after(() => browser.close())

// visit opens the page, by default as people do: without a script.
async function visit(t, { width = 375, javaScriptEnabled = false, colorScheme = 'light' } = {}) {
  const context = await browser.newContext({ viewport: { width, height: 812 }, javaScriptEnabled, colorScheme, locale: 'en-GB' })
  context.setDefaultTimeout(patience)
  t.after(() => context.close())
  const page = await context.newPage()
  await page.goto(url)
  return page
}

test('it has no barriers', async (t) => {
  for (const colorScheme of ['light', 'dark']) {
    const page = await visit(t, { javaScriptEnabled: true, colorScheme })
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
    assert.deepEqual(
      violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 200)).join('\n')}`),
      [],
    )
    for (const width of [1440, 375, 320]) await fits(page, 'the page', width)
    const small = await page.$$eval('button, a.button, textarea', (all) =>
      all.filter((e) => e.getBoundingClientRect().height < 44).map((e) => e.outerHTML),
    )
    assert.deepEqual(small, [], 'targets are too small')
  }
})

test('a decision by keyboard alone', async (t) => {
  const page = await visit(t)
  const posts = page.getByRole('article')
  const before = await posts.count()
  assert.ok(before >= 4)
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/review.png`, fullPage: true })
  await page.keyboard.press('Tab')
  assert.equal(await page.locator(':focus').textContent(), 'Approve')
  await page.keyboard.press('Enter')
  await page.getByRole('status').getByText('The post is approved.').waitFor()
  assert.equal(await posts.count(), before - 1)

  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Too loud')
  await page.keyboard.press('Tab')
  assert.equal(await page.locator(':focus').textContent(), 'Reject')
  await page.keyboard.press('Enter')
  await page.getByRole('status').getByText('The post is rejected.').waitFor()
  assert.equal(await posts.count(), before - 2)
})

test('a comment', async (t) => {
  const page = await visit(t)
  await page.getByRole('textbox', { name: 'Comment' }).first().fill('Can we name the price?')
  await page.getByRole('button', { name: 'Comment' }).first().click()
  await page.getByRole('status').getByText('Your comment was added.').waitFor()
  await page.getByRole('listitem').getByText('Can we name the price?').waitFor()
  await shown(page, 'Acme,')
})
