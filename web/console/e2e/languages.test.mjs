// Tier: full
// Posts and readers of other languages: texts begin at their own side, dates are the reader's, and nothing breaks.
import assert from 'node:assert/strict'
import test from 'node:test'
import { open, serve, settled, until } from './harness.mjs'

const texts = {
  de: 'Donaudampfschifffahrtsgesellschaft: die neue Fahrradtasche ist da, in Grün und in Blau.',
  ja: '新しい自転車用バッグができました。雨の日でも中身が濡れません。色は緑と青の二色です。',
  ar: 'حقيبة الدراجة الجديدة متوفرة الآن باللونين الأخضر والأزرق، وهي مقاومة للماء.',
}
const service = await serve(1)
const mission = await service.mission('حملة الخريف', { ...(await service.later()), platforms: ['mastodon'], duration_days: 300 })
await service.written(mission, 4)
const posts = {}
for (const [language, text] of Object.entries(texts))
  posts[language] = await service.rest('POST', '/content', { mission_id: mission.id, platform: 'mastodon', text })
const at = new Date(Math.ceil((await service.now()) / 86_400_000) * 86_400_000 + 1.5 * 86_400_000).toISOString()
await service.rest('POST', `/content/${posts.ar.id}/reschedule`, { scheduled_at: at })
const day = at.slice(0, 10)

const places = [
  ['/inbox', '.snippet'],
  [`/inbox/${posts.ar.id}`, '.words'],
  ['/posts', 'td .clip'],
  [`/posts/${posts.ar.id}`, '.words'],
  [`/missions/${mission.id}/posts`, '.words'],
  [`/calendar?day=${day}`, '[data-post] .text'],
  [`/calendar?view=month&day=${day}`, '[data-post] .clip'],
  ['/activity', 'a.clip'],
]

// sideways returns by how much a page is wider than its window.
const sideways = (page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)

for (const [locale, width] of [
  ['de-DE', 1440],
  ['ja-JP', 720],
  ['ar-EG', 1440],
  ['ar-EG', 390],
])
  test(`a reader whose browser is ${locale}, ${width} wide`, async (t) => {
    const page = await open(t, service, '/inbox', { width, locale })
    for (const [path, selector] of places) {
      await page.goto(`${service.url}/console${path}`)
      await settled(page)
      for (const [language, text] of Object.entries(texts)) {
        const found = page
          .locator(selector)
          .filter({ hasText: text.slice(0, 20) })
          .first()
        if (language === 'ar') await found.waitFor({ state: 'attached' })
        else if ((await found.count()) === 0) continue // it isn't on every page
        assert.equal(
          await found.evaluate((e) => getComputedStyle(e).direction),
          language === 'ar' ? 'rtl' : 'ltr',
          `${language} on ${path}`,
        )
      }
      assert.ok((await sideways(page)) <= 0, `${path} scrolls sideways by ${await sideways(page)} px`)
      assert.equal(await page.getByText(/Invalid Date|NaN|undefined/).count(), 0, path)
    }
  })

test('a text is written from right to left, and its slot is a field’s', async (t) => {
  const page = await open(t, service, `/posts/${posts.ar.id}`, { locale: 'ar-EG' })
  const when = page.getByLabel('Goes out')
  assert.match(await when.inputValue(), /^\d{4}-\d\d-\d\dT\d\d:\d\d$/)
  await page.keyboard.press('e')
  const text = page.getByRole('form', { name: 'Edit the post' }).getByRole('textbox').first()
  assert.equal(await text.evaluate((e) => getComputedStyle(e).direction), 'rtl')
  await text.fill('An English text')
  assert.equal(await text.evaluate((e) => getComputedStyle(e).direction), 'ltr')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /^Find/ }).fill(texts.ar.slice(0, 12))
  const option = page
    .getByRole('option')
    .locator('.clip')
    .filter({ hasText: texts.ar.slice(0, 12) })
  await option.waitFor()
  assert.equal(await option.evaluate((e) => getComputedStyle(e).direction), 'rtl')
})

test('the days of the calendar are those of its title, whatever the calendar of the reader’s country', async (t) => {
  const page = await open(t, service, '/inbox', { locale: 'fa-IR' })
  await page.goto(`${service.url}/console/calendar?view=month&day=2026-11-18`)
  await page.getByRole('grid', { name: 'Month' }).waitFor()
  const title = await page.getByRole('heading', { level: 1 }).innerText()
  assert.equal(
    title,
    new Intl.DateTimeFormat('fa-IR', { calendar: 'gregory', month: 'long', year: 'numeric' }).format(new Date('2026-11-18')),
  )
  await until('the grid', async () => (await page.getByRole('gridcell').count()) === 42)
})
