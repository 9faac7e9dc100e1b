// Tier: full
import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { open, serve, shown, until } from './harness.mjs'
import { Service } from './service.mjs'

const service = await serve()
const busy = new Service() // it outlives its page, which would report that it is gone
after(() => busy.remove())

test('an empty console leads to a first mission', async (t) => {
  const page = await open(t, service, '/')
  await page.getByText('60 times real time. A day takes 24 min,').waitFor()
  await page.getByRole('button', { name: 'Start a sample' }).click()
  await page.getByRole('heading', { name: 'A first look' }).waitFor()
  await shown(page, 'Cycle 1')
  await until('posts to review', async () => (await service.posts('status=pending_review')).length > 0)
  await page
    .getByRole('definition')
    .getByRole('link', { name: /^[1-9]/ })
    .waitFor() // and the page has them at once
})

test('home says what waits, and leads there', async (t) => {
  const page = await open(t, service, '/')
  await page.getByText(/^Since yesterday: \d+ published/).waitFor()
  await page
    .locator('.running .badge', { hasText: /On pace|Nothing approved|Behind/ })
    .first()
    .waitFor()
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
  await page.getByRole('combobox', { name: 'Find a page, a mission, a post or an action' }).waitFor()
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
    await shown(page, /Overdue since \d/)
    if (where !== '/') await shown(page, 'waits for Mastodon to be connected again')
  }
  await page.goto(`${service.url}/console/`)
  const card = page.locator('.running', { hasText: 'Late and long' })
  const [marks, count] = [
    await card.locator('.marks').boundingBox(),
    await card
      .locator('.row')
      .first()
      .getByText(/^\d+\/\d+ posts/)
      .boundingBox(),
  ]
  const last = await card.locator('.mark').last().boundingBox()
  assert.ok(last.x + last.width <= count.x && marks.x + marks.width <= count.x, 'nothing is over the number of posts')
})

test('home says which webhooks fail, which posts are overdue, expired or in doubt', async (t) => {
  const mission = await service.mission('In trouble', await service.later())
  const [post] = await service.written(mission, 1)
  const page = await open(t, service, '/activity')
  const of = { id: mission.id, name: 'In trouble' }
  const item = {
    deadline: null,
    since: new Date(await service.now()).toISOString(),
    count: 3,
    of: 20,
    usedPercent: null,
    content: null,
    mission: null,
    job: null,
    integration: null,
    webhook: null,
  }
  const content = { id: post.id, platform: 'TWITTER', error: null }
  const groups = {
    WEBHOOK: { webhook: { id: 'whk_1', url: 'https://hooks.example/in' } },
    OVERDUE: { mission: of, content },
    UNKNOWN: { mission: of, content: { ...content, id: 'cnt_other' } },
    EXPIRED: { mission: of },
    TENANT_DELETION: { deadline: item.since },
  }
  await page.route('**/graphql', async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    if (body.data?.attention)
      body.data.attention = Object.entries(groups).map(([kind, about]) => ({
        kind,
        count: 1,
        capped: false,
        items: [{ ...item, ...about }],
      }))
    await route.fulfill({ response, json: body })
  })
  await page.goto(`${service.url}/console/`)
  for (const text of [
    'A webhook is failing: https://hooks.example/in',
    '3 of its 20 latest deliveries failed',
    'In trouble: 3 posts overdue',
    'Was a post on X published?',
    'In trouble: 3 posts expired unreviewed',
    'This organization will be deleted',
  ])
    await page.getByText(text).waitFor()
  await page.getByRole('link', { name: /overdue/ }).click()
  await page.getByRole('heading', { level: 1, name: /on X|on Mastodon/ }).waitFor()
})

test('what happened up to a day is read, by mouse and by keys', async (t) => {
  await busy.start(14_400)
  const mission = await busy.mission('Earlier', { constraints: { require_approval: false, posts_per_day: 6 }, duration_days: 20 })
  await until('posts of the day three days ago', async () => {
    const [latest] = (await busy.rest('GET', `/content?mission_id=${mission.id}&status=published&limit=1`)).data
    return latest && Date.parse(latest.published_at) - Date.parse(mission.created_at) > 4 * 86_400_000
  })
  await busy.stop()
  await busy.start(1)
  const page = await open(t, busy, '/activity')
  const first = () => page.locator('.activity section').first().getAttribute('aria-label')
  const today = await first()
  const ago = (days) => new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10)
  const before = ago(1).endsWith('-01') ? 3 : 2 // not the last of a month, from which a key leads to no day
  const day = ago(before)
  const field = page.getByLabel('Up to')
  await field.fill(day)
  await until('that day', async () => (await first()) === day)
  assert.match(page.url(), new RegExp(`day=${day}`))
  await page.getByRole('button', { name: 'Posts', exact: true }).click()
  await until('its posts', async () => page.url().includes('kind=posts') && (await first()) === day)
  await field.focus()
  await page.keyboard.press('ArrowUp')
  if ((await field.inputValue()) !== ago(before - 1))
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowUp']) await page.keyboard.press(key) // the month was first
  assert.equal(await field.inputValue(), ago(before - 1))
  await until('the day after', async () => (await first()) === ago(before - 1))
  await page.keyboard.press('Delete')
  await until('all days', async () => (await first()) === today)
})
