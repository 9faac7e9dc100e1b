// The tasks of people in other situations: on a phone, in two tabs, with a role that may less.
import assert from 'node:assert/strict'
import test from 'node:test'
import { open, serve, settled, until } from './harness.mjs'
import { journeys } from './journey.mjs'

const service = await serve(1)
const mission = await service.mission('Autumn', { ...(await service.later()), platforms: ['mastodon'], duration_days: 300 })
await service.written(mission, 4)

let made = 0
const one = () => service.rest('POST', '/content', { mission_id: mission.id, platform: 'mastodon', text: `One of the autumn, ${++made}` })
const statusOf = (id) => service.rest('GET', `/content/${id}`).then((c) => c.status)
const waiting = async () => (await service.posts('status=pending_review&limit=100')).length
const rows = (page) => page.getByRole('region', { name: 'Posts waiting' }).getByRole('listitem')
const decide = (page) => page.getByRole('toolbar', { name: 'Decide' })

journeys(
  service,
  {
    '26 a post is approved on a phone': {
      from: '/inbox',
      given: one,
      finger: [
        2,
        async (f, page, p) => {
          await f.click(rows(page).getByRole('link', { name: p.text }))
          await f.click(decide(page).getByRole('button', { name: 'Approve' }))
        },
      ],
      done: (_, p) => until('it is approved', async () => (await statusOf(p.id)) !== 'pending_review'),
    },
    '26 a post is written on a phone': {
      from: '/calendar',
      given: waiting,
      finger: [
        3,
        async (f, page) => {
          await f.click(page.getByRole('button', { name: 'Write a post', exact: true }))
          await f.type(page.getByRole('dialog').getByRole('textbox', { name: 'Text', exact: true }), 'On the way')
          await f.click(page.getByRole('dialog').getByRole('button', { name: /^(Add to the queue|Schedule)/ }))
        },
      ],
      done: (_, before) => until('the post', async () => (await waiting()) === before + 1),
    },
    '26 everything is put on hold on a phone': {
      from: '/',
      finger: [
        4,
        async (f, page) => {
          await f.click(page.getByRole('button', { name: /^Hold everything/ }))
          await f.type(page.getByRole('textbox', { name: 'Reason' }), 'An accident')
          await f.click(page.getByRole('button', { name: 'Hold everything', exact: true }))
          await until('no such button', async () => (await page.getByRole('button', { name: /^Hold everything/ }).count()) === 0)
          await f.click(page.getByRole('button', { name: 'Release' }))
        },
      ],
      done: (page) => page.getByText(/on hold since/).waitFor({ state: 'detached' }),
    },
  },
  { title: 'on a phone' },
)

test('29 what is decided in one tab is shown in the other, and taken back', async (t) => {
  const p = await one()
  const page = await open(t, service, `/inbox/${p.id}`)
  const other = await page.context().newPage()
  await other.goto(`${service.url}/console/inbox`)
  const row = rows(other).getByRole('link', { name: p.text })
  await row.waitFor()
  await page.keyboard.press('a')
  await row.waitFor({ state: 'detached' })
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await row.waitFor()
})

const as = (role) => ({ as: { email: `${role}@example.com`, role } })
const changes = /^(Approve|Reject|Edit|Rewrite|Duplicate|Cancel the post|Write a post|Hold everything|Pause|Import|New mission|Save)( |$)/

test('30 a viewer looks at everything, changes nothing, and is told why', async (t) => {
  const p = await one()
  const page = await open(t, service, `/inbox/${p.id}`, as('viewer'))
  await page.getByText('Your role may look at posts, and not change them.').waitFor()
  for (const path of [
    '/',
    `/inbox/${p.id}`,
    '/missions',
    `/missions/${mission.id}`,
    `/missions/${mission.id}/posts`,
    '/posts',
    `/posts/${p.id}`,
    '/calendar',
  ]) {
    await page.goto(`${service.url}/console${path}`)
    await settled(page)
    assert.deepEqual(await page.getByRole('main').getByRole('button', { name: changes }).allInnerTexts(), [], path)
    assert.equal(await page.getByRole('checkbox').count(), 0, path)
  }
  for (const key of ['a', 'r', 'e', 'n', 'c', 'Shift+H']) await page.keyboard.press(key)
  assert.equal(await page.getByRole('dialog').count(), 0)
  assert.equal(await statusOf(p.id), 'pending_review')
})

test('30 an editor reviews and writes, and leaves the settings to administrators', async (t) => {
  const [p, q] = [await one(), await one()]
  const page = await open(t, service, `/inbox/${p.id}`, as('editor'))
  await page.keyboard.press('a')
  await page.getByText('Approved.').waitFor()
  await page.goto(`${service.url}/console/inbox/${q.id}`)
  await settled(page)
  assert.deepEqual(
    (await decide(page).getByRole('button').allInnerTexts()).map((s) => s.split('\n')[0]),
    ['Approve', 'Reject', 'Edit'],
  )
  await page.goto(`${service.url}/console/calendar`)
  await page.getByRole('button', { name: 'Write a post', exact: true }).waitFor()
  for (const tab of ['brand', 'members', 'keys', 'audit', 'tenant']) {
    await page.goto(`${service.url}/console/settings/${tab}`)
    await page.getByRole('heading', { name: 'This is for administrators' }).waitFor()
  }
  assert.equal(await page.getByRole('link', { name: /^(Members|API keys|Audit log)$/ }).count(), 0)
})

test('a filter that is chosen by keyboard keeps the focus', async (t) => {
  const page = await open(t, service, '/posts')
  for (const [path, name, third] of [
    ['/posts', 'Order', 'IMPRESSIONS'],
    ['/missions', 'Order', 'END'],
    ['/calendar', 'State', 'APPROVED'],
  ]) {
    await page.goto(`${service.url}/console${path}`)
    await settled(page)
    const list = page.getByRole('combobox', { name, exact: true })
    await list.focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.waitForURL(new RegExp(`=${third}`))
    await settled(page)
    assert.equal(await list.inputValue(), third, path)
    assert.ok(await list.evaluate((e) => e === document.activeElement), `the focus is lost on ${path}`)
  }
  await page.goto(`${service.url}/console/missions`)
  const active = page.getByRole('button', { name: 'Active', exact: true })
  await active.press('Enter')
  await page.waitForURL(/status=ACTIVE/)
  await settled(page)
  assert.ok(await active.evaluate((e) => e === document.activeElement && e.ariaPressed === 'true'))
})
