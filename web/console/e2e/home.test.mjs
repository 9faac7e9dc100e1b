import assert from 'node:assert/strict'
import test from 'node:test'
import { open, serve, until } from './harness.mjs'

const service = await serve()

test('an empty console leads to a first mission', async (t) => {
  const page = await open(t, service, '/')
  await page.getByText('60 times real time. A day takes 24 min,').waitFor()
  await page.getByRole('button', { name: 'Start a sample' }).click()
  await page.getByRole('heading', { name: 'A first look' }).waitFor()
  await page.getByText('Cycle 1').first().waitFor()
  await until('posts to review', async () => (await service.posts('status=pending_review')).length > 0)
  await page
    .getByRole('definition')
    .getByRole('link', { name: /^[1-9]/ })
    .waitFor() // and the page has them at once
})

test('home says what waits, and leads there', async (t) => {
  const page = await open(t, service, '/')
  await page.getByRole('link', { name: /to review/ }).click()
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
})

test('what needs somebody comes and goes by itself', async (t) => {
  const page = await open(t, service, '/')
  const link = page.getByRole('region', { name: 'Needs attention' }).getByRole('link', { name: /to review/ })
  await link.waitFor()
  for (const { id } of (await service.rest('GET', '/missions')).data) await service.rest('POST', `/missions/${id}/pause`)
  for (const { id } of await service.posts('status=pending_review&limit=100')) await service.rest('POST', `/content/${id}/approve`)
  await link.waitFor({ state: 'detached' })
  await page.getByText('Nothing needs your attention.').waitFor()
  const mission = await service.mission('Brief attention')
  await link.waitFor()
  await service.rest('POST', `/missions/${mission.id}/pause`)
  await service.rest('DELETE', `/missions/${mission.id}`)
  for (const { id } of (await service.rest('GET', '/missions')).data) await service.rest('POST', `/missions/${id}/resume`)
})

test('missions are found by name and by state', async (t) => {
  await service.mission('Harvest letters')
  await service.mission('Winter notes')
  const page = await open(t, service, '/missions')
  const rows = page.locator('.mission-list > li')
  await until('three missions', async () => (await rows.count()) === 3)
  await page.keyboard.press('/')
  await page.keyboard.type('harv')
  await until('one mission', async () => (await rows.count()) === 1)
  await page.getByText('Harvest letters').waitFor()
  await page.getByRole('searchbox').fill('nothing like it')
  await page.getByText('No mission matches').waitFor()
  await page.getByRole('button', { name: 'Show all' }).click()
  await until('all missions', async () => (await rows.count()) === 3)
  const names = async (expected) =>
    until(
      `${expected}`,
      async () =>
        (await rows.getByRole('link').allInnerTexts())
          .map((n) => n.split('\n')[0])
          .filter((n) => expected.includes(n))
          .join() === expected.join(),
    )
  await names(['Winter notes', 'Harvest letters', 'A first look'])
  await page.getByRole('combobox', { name: 'Order' }).selectOption('By name')
  await names(['A first look', 'Harvest letters', 'Winter notes'])
  await page.reload()
  await names(['A first look', 'Harvest letters', 'Winter notes'])
  await page.getByRole('button', { name: 'Paused' }).click()
  await page.getByText('No mission matches').waitFor()
})

test('the palette finds pages and missions', async (t) => {
  const page = await open(t, service, '/missions')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find a page, a mission or an action' }).waitFor()
  await page.keyboard.type('winter')
  await page.getByRole('option', { name: /Winter notes/ }).waitFor()
  assert.equal(await page.getByRole('option', { name: /Harvest letters/ }).count(), 0, 'what doesn’t match isn’t offered')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Winter notes' }).waitFor()
})

test('a post whose slot has passed is called overdue, with what it waits for', async (t) => {
  const mission = await service.mission(`Late ${'and long '.repeat(18)}`.trim(), {
    ...(await service.later()),
    platforms: ['mastodon', 'twitter', 'linkedin', 'bluesky', 'facebook'],
  })
  const [post] = await service.written(mission, 1)
  await service.rest('POST', `/content/${post.id}/approve`)
  const page = await open(t, service, '/activity')
  const before = new Date((await service.now()) - 3 * 86_400_000).toISOString()
  await page.route('**/graphql', async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    for (const e of body.data?.next?.edges ?? []) e.node.scheduledAt = before
    for (const e of body.data?.missions?.edges ?? []) if (e.node.nextPublishAt) e.node.nextPublishAt = before
    if (body.data?.mission?.nextPublishAt) body.data.mission.nextPublishAt = before
    for (const p of body.data?.platforms ?? [])
      p.accounts = [
        {
          id: `int_${p.platform}`,
          label: null,
          default: true,
          status: p.platform === 'MASTODON' ? 'NEEDS_RECONNECT' : 'CONNECTED',
          account: null,
        },
      ]
    await route.fulfill({ response, json: body })
  })
  for (const where of ['/', '/missions', `/missions/${mission.id}`]) {
    await page.goto(`${service.url}/console${where}`)
    await page
      .getByText(/Overdue since \d/)
      .first()
      .waitFor()
    if (where !== '/') await page.getByText('waits for Mastodon to be connected again').first().waitFor()
  }
  await page.goto(`${service.url}/console/`)
  const card = page.locator('.running', { hasText: 'Late and long' })
  const [marks, count] = [await card.locator('.marks').boundingBox(), await card.locator('.row').first().getByText(/posts/).boundingBox()]
  const last = await card.locator('.mark').last().boundingBox()
  assert.ok(last.x + last.width <= count.x && marks.x + marks.width <= count.x, 'nothing is over the number of posts')
})
