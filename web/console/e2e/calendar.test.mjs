// Tier: full
import assert from 'node:assert/strict'
import test from 'node:test'
import { open, serve, settled, until } from './harness.mjs'

const service = await serve()
const mission = await service.mission('Planned', { constraints: { require_approval: false, timezone: 'Europe/Berlin' } })
await service.written(mission, 2, 'scheduled')

// waiting returns a post that can still be moved by a day.
async function waiting() {
  const posts = await service.posts(`mission_id=${mission.id}&status=scheduled&order=scheduled`)
  return posts.at(-1)
}

const slotOf = (id) => service.rest('GET', `/content/${id}`).then((c) => Date.parse(c.scheduled_at))
const day = 86_400_000

test('a post is moved with the arrow keys, and back', async (t) => {
  const post = await waiting()
  const before = Date.parse(post.scheduled_at)
  const page = await open(t, service, `/calendar?view=month&day=${post.scheduled_at.slice(0, 10)}`)
  await page.locator(`[data-post="${post.id}"]`).focus()
  await page.keyboard.press('Alt+ArrowDown')
  await page.getByText(/Moved to/).waitFor()
  assert.equal(await slotOf(post.id), before + 7 * day)
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-post')), post.id, 'the focus follows')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText(/Moved back/).waitFor()
  assert.equal(await slotOf(post.id), before)
})

// inCell waits until the focus is in a cell of the calendar, onCell until it is on the cell itself.
const inCell = (page, cell) =>
  until(`the focus in ${cell}`, () => page.evaluate((c) => document.activeElement?.closest('[data-cell]')?.dataset.cell === c, cell))
const onCell = (page, cell) => until(`the focus on ${cell}`, () => page.evaluate((c) => document.activeElement?.dataset.cell === c, cell))
const shift = (date, days) => new Date(Date.parse(`${date}T12:00:00Z`) + days * day).toISOString().slice(0, 10)

test('the month is worked by keyboard alone', async (t) => {
  const page = await open(t, service, '/calendar?view=month&day=2026-11-18&zone=Europe%2FBerlin')
  const grid = page.getByRole('grid', { name: 'Month' })
  const stops = () => grid.locator('[tabindex="0"]').count()
  assert.equal(await stops(), 1, 'the grid is one tab stop')
  await page.getByRole('combobox', { name: 'Time zone' }).focus()
  await page.keyboard.press('Tab')
  await onCell(page, '2026-11-18')
  for (const [key, cell] of [
    ['ArrowRight', '2026-11-19'],
    ['ArrowDown', '2026-11-26'],
    ['ArrowLeft', '2026-11-25'],
    ['ArrowUp', '2026-11-18'],
    ['Home', '2026-11-16'],
    ['End', '2026-11-22'],
    ['PageDown', '2026-12-22'],
    ['PageUp', '2026-11-22'],
    ['Control+Home', '2026-10-26'],
    ['ArrowLeft', '2026-10-25'],
    ['ArrowRight', '2026-10-26'],
    ['PageDown', '2026-11-26'],
  ]) {
    await page.keyboard.press(key)
    await onCell(page, cell)
    assert.equal(await grid.getByRole('gridcell').and(page.locator('[tabindex="0"]')).count(), 1)
  }
  await page.getByRole('heading', { name: 'November 2026' }).waitFor()

  const post = await waiting()
  const cell = await page.evaluate(
    (at) =>
      new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Berlin', year: 'numeric', month: '2-digit', day: '2-digit' }).format(
        new Date(at),
      ),
    post.scheduled_at,
  )
  await page.goto(`${service.url}/console/calendar?view=month&day=${cell}&zone=Europe%2FBerlin`)
  await settled(page)
  const card = page.locator(`[data-post="${post.id}"]`)
  await card.waitFor()
  await page.getByRole('combobox', { name: 'Time zone' }).focus()
  await page.keyboard.press('Tab')
  for (let i = 0; i < 10 && !(await card.evaluate((e) => e === document.activeElement)); i++) await page.keyboard.press('Tab')
  await inCell(page, cell)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByLabel('Goes out').waitFor()
  await page.keyboard.press('Escape')
  await until('the focus is where it was', () => card.evaluate((e) => e === document.activeElement))
  await page.keyboard.press('Escape')
  await onCell(page, cell)
  assert.ok((await stops()) > 1, 'Tab leads to the day’s posts')
  await page.keyboard.press('Shift+Tab')
  assert.equal(await stops(), 1, 'and past the grid from elsewhere')
})

test('by week a post goes on to the next page, and the focus with it', async (t) => {
  const post = await waiting()
  const before = Date.parse(post.scheduled_at)
  const page = await open(t, service, `/calendar?day=${post.scheduled_at.slice(0, 10)}&zone=UTC`)
  const title = () => page.getByRole('heading', { level: 1 }).innerText()
  const first = await title()
  await page.locator(`[data-post="${post.id}"]`).focus()
  let at = post.scheduled_at.slice(0, 10)
  const hour = Number(post.scheduled_at.slice(11, 13))
  while ((await title()) === first) {
    at = shift(at, 1)
    assert.ok(Date.parse(at) < before + 8 * day, 'the page turns')
    await page.keyboard.press('Alt+ArrowRight')
    await inCell(page, `${at}T${hour}`)
    await until('it is moved', async () => (await slotOf(post.id)) === Date.parse(`${at}${post.scheduled_at.slice(10)}`))
  }
  await page.locator(`[data-post="${post.id}"]`).waitFor()
  // An hour without posts is written for.
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Write a post' })
  assert.match(await dialog.getByLabel('Time', { exact: true }).inputValue(), /T23:00$/)
  await page.keyboard.press('Escape')
  await inCell(page, await page.evaluate(() => document.querySelector('[role=gridcell][tabindex="0"]').dataset.cell))
  await service.rest('POST', `/content/${post.id}/reschedule`, { scheduled_at: post.scheduled_at })
})

test('a post is dragged to another day', async (t) => {
  const post = await waiting()
  const page = await open(t, service, `/calendar?view=month&day=${post.scheduled_at.slice(0, 10)}&zone=Europe%2FBerlin`)
  const card = page.locator(`[data-post="${post.id}"]`)
  const from = await card.evaluate((e) => e.closest('[data-cell]').dataset.cell)
  const to = new Date(Date.parse(`${from}T12:00:00Z`) + 2 * day).toISOString().slice(0, 10)
  const target = await page.locator(`[data-cell="${to}"]`).boundingBox()
  await card.hover()
  await page.mouse.down()
  await page.mouse.move(target.x + target.width / 2, target.y + target.height / 2, { steps: 8 })
  await page.mouse.up()
  await page.getByText(/Moved to/).waitFor()
  assert.equal(await card.evaluate((e) => e.closest('[data-cell]').dataset.cell), to)
  assert.equal(await slotOf(post.id), Date.parse(post.scheduled_at) + 2 * day)
})

test('a day that has passed doesn’t seem to take a post', async (t) => {
  const post = await waiting()
  // This month, not the post's: the days of that one may all be to come.
  const page = await open(t, service, '/calendar?view=month&zone=Europe%2FBerlin')
  const card = page.locator(`[data-post="${post.id}"]`)
  const over = page.locator('.cell.over')
  await page.locator('[data-cell]').first().waitFor()
  const cells = await page.locator('[data-cell]').evaluateAll((all) => all.map((c) => c.dataset.cell))
  const dateOf = (time) => new Date(time).toLocaleDateString('sv', { timeZone: 'Europe/Berlin' })
  const from = dateOf(post.scheduled_at)
  if (cells[0] >= dateOf(Date.now()) || !cells.includes(shift(from, 1))) {
    return t.skip('today no page of the calendar has the post and a day that has passed')
  }
  const drag = async (to) => {
    const { x, y, width, height } = await page.locator(`[data-cell="${to}"]`).boundingBox()
    await page.mouse.move(x + width / 2, y + height / 2, { steps: 4 })
  }
  await card.hover()
  await page.mouse.down()
  await drag(shift(from, 1))
  await over.waitFor()
  await drag(cells[0])
  await over.waitFor({ state: 'detached' })
  await page.mouse.up()
  await page.getByText('That time has passed. Choose a later one.').waitFor()
  assert.equal(await card.evaluate((e) => e.closest('[data-cell]').dataset.cell), from)
})

test('the calendar shows the posts in one state', async (t) => {
  const post = await waiting()
  const page = await open(t, service, `/calendar?view=month&day=${post.scheduled_at.slice(0, 10)}`)
  const card = page.locator(`[data-post="${post.id}"]`)
  await card.waitFor()
  const state = page.getByRole('combobox', { name: 'State' })
  await state.selectOption({ label: 'Failed' })
  await card.waitFor({ state: 'detached' })
  assert.equal(new URL(page.url()).searchParams.get('status'), 'FAILED')
  await state.selectOption({ label: 'Scheduled' })
  await card.waitFor()
})

test('a move that the service refuses goes back', async (t) => {
  const post = await waiting()
  const page = await open(t, service, `/calendar?view=month&day=${post.scheduled_at.slice(0, 10)}`, {
    expected: [/the server responded with a status of/],
  })
  await page.route('**/graphql', async (route) => {
    if (!/useMove/.test(route.request().postData() ?? '')) return route.continue()
    await route.fulfill({
      json: { data: null, errors: [{ message: 'The mission ends before that.', extensions: { code: 'invalid_request' } }] },
    })
  })
  const card = page.locator(`[data-post="${post.id}"]`)
  const from = await card.evaluate((e) => e.closest('[data-cell]').dataset.cell)
  await card.focus()
  await page.keyboard.press('Alt+ArrowRight')
  await page.getByText('The mission ends before that.').waitFor()
  await until('it is back', async () => (await card.evaluate((e) => e.closest('[data-cell]').dataset.cell)) === from)
})

test('a post is written for a time, and published then', async (t) => {
  const page = await open(t, service, '/calendar')
  await page.keyboard.press('n')
  const dialog = page.getByRole('dialog', { name: 'Write a post' })
  await dialog.getByRole('tab', { name: /Mastodon/ }).click()
  await dialog.getByRole('article').getByText('0/500').waitFor() // a text that isn't there has no length
  await dialog.getByRole('textbox', { name: 'Text', exact: true }).fill('Written by a person, with a link: https://example.com/notes')
  await dialog.getByText('57/500').first().waitFor()
  await page.reload()
  await settled(page)
  await page.keyboard.press('n')
  assert.match(await dialog.getByRole('textbox', { name: 'Text', exact: true }).inputValue(), /^Written by a person/, 'a reload keeps it')
  await dialog.getByText('57/500').first().waitFor()
  await dialog.getByRole('article').getByText('example.com/notes').waitFor()
  await dialog.getByRole('textbox', { name: 'Text', exact: true }).press('Control+Enter')
  await dialog.waitFor({ state: 'detached' })
  const post = await until('the post', async () =>
    (await service.posts(`mission_id=${mission.id}`)).find((p) => p.text.startsWith('Written by a person')),
  )
  assert.equal(post.origin, 'person')
  await page.keyboard.press('n')
  assert.equal(await dialog.getByRole('textbox', { name: 'Text', exact: true }).inputValue(), '', 'the next one is another')
})

test('an hour without posts is written for with the mouse, and one with many shows them when asked', async (t) => {
  const { id } = await service.mission('Crowded', { constraints: { require_approval: false }, duration_days: 30 })
  const at = `${shift((await waiting()).scheduled_at.slice(0, 10), 14)}T04`
  for (let n = 10; n < 17; n++)
    await service.rest('POST', '/content', { mission_id: id, platform: 'mastodon', text: `Post ${n}`, scheduled_at: `${at}:${n}:00Z` })
  const page = await open(t, service, `/calendar?day=${at.slice(0, 10)}&zone=UTC&mission=${id}`)
  const cell = page.locator(`[data-cell="${at.slice(0, 10)}T4"]`)
  await cell.getByRole('button', { name: '4 more' }).waitFor()
  assert.equal(await cell.locator('[data-post]').count(), 3)
  await cell.getByRole('button', { name: '4 more' }).click()
  await until('all of them', async () => (await cell.locator('[data-post]').count()) === 7)
  // An hour of the same day that has nothing: where the mission's slots are depends on when it began.
  const day = await page
    .locator(`[data-cell^="${at.slice(0, 10)}T"]`)
    .evaluateAll((all) => all.map((c) => [c.dataset.cell, c.childElementCount]))
  const [free] = day.findLast(([name, things]) => things === 0 && +name.split('T')[1] < 10)
  await page.locator(`[data-cell="${free}"]`).click()
  const dialog = page.getByRole('dialog', { name: 'Write a post' })
  assert.ok((await dialog.getByLabel('Time', { exact: true }).inputValue()).endsWith(`T${free.split('T')[1].padStart(2, '0')}:00`))
  await service.rest('POST', `/missions/${id}/complete`)
})
