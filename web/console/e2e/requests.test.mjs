// Tier: full
import assert from 'node:assert/strict'
import test from 'node:test'
import { open, prepare, serve, settled, until } from './harness.mjs'
import { crowd, fill, matches, pages, routes } from './pages.mjs'

// What a page may ask for while it opens, and in ten seconds in which nobody does anything.
const whileOpening = 10
const whileIdle = 3
const idle = 10_000
// How many elements a page may have, with 5,000 posts.
const most = 1200
// Pages without the frame.
const alone = ['/agents/authorize']

const empty = await serve(1)
const full = prepare()
const ids = await fill(full)
await crowd(full)
const week = new Date((await full.now()) + 7 * 24 * 3_600_000).toISOString().slice(0, 10)

const operation = (request) =>
  request.method() === 'POST' && request.url().endsWith('/graphql') ? JSON.parse(request.postData()).operationName : null

test('every route is among the pages', () => {
  const paths = pages(ids).map((p) => p.path)
  assert.deepEqual(
    routes().filter((r) => !paths.some((p) => matches(r, p))),
    [],
  )
})

for (const [name, service, all] of [
  ['empty', empty, pages().filter((p) => !p.open)],
  ['full', full, [...pages(ids), { path: `/calendar?day=${week}` }, { path: `/calendar?day=${week}&view=month` }]],
]) {
  test(`no page of ${name === 'full' ? 'a full' : 'an empty'} console asks without end or holds too much`, async (t) => {
    const first = await open(t, service, '/')
    const tabs = []
    for (const p of all) {
      const asked = []
      const page = await first.context().newPage()
      page.on('request', (request) => operation(request) && asked.push(operation(request)))
      await page.goto(`${service.url}/console${p.path}`)
      await settled(page)
      if (p.open) await p.open(page)
      // What is shown may be older than the subscription to changes, and is read once more.
      if (!alone.includes(p.path)) await until(`${p.path} is read again`, () => asked.filter((name) => name === 'ShellQuery').length > 1)
      await page.waitForLoadState('networkidle')
      const elements = await page.evaluate(() => document.querySelectorAll('*').length)
      tabs.push({ ...p, asked, opening: asked.length, elements })
    }
    await first.waitForTimeout(idle)
    const wrong = tabs.flatMap(({ path, name = '', asked, opening, elements }) => [
      ...(elements >= most ? [`${path} ${name}: ${elements} elements`] : []),
      ...(opening > whileOpening ? [`${path} ${name}: ${opening} requests while it opens: ${asked.slice(0, opening)}`] : []),
      ...(asked.length - opening > whileIdle
        ? [`${path} ${name}: ${asked.length - opening} requests while idle: ${asked.slice(opening)}`]
        : []),
    ])
    t.diagnostic(
      `at most ${Math.max(...tabs.map((p) => p.elements))} elements, ${Math.max(...tabs.map((p) => p.opening))} requests while a page opens, ${Math.max(...tabs.map((p) => p.asked.length - p.opening))} while it is idle`,
    )
    assert.deepEqual(wrong, [])
  })
}

// refuse has a page's first requests of a kind refused as the limit of requests does.
async function refuse(page, times, which, seconds = 1) {
  let refused = 0
  await page.route('**/graphql', (route) => {
    if (!which(route.request()) || refused >= times) return route.continue()
    refused++
    return route.fulfill({
      status: 429,
      headers: { 'Retry-After': String(seconds) },
      json: {
        errors: [
          { message: 'Too many requests: 1000 a minute are allowed.', extensions: { code: 'rate_limit_exceeded', retryAfter: seconds } },
        ],
      },
    })
  })
  return () => refused
}

const limited = [/status of 429/]

test('a limit of requests is waited for, and no page fails of it', async (t) => {
  const page = await open(t, full, '/missions', { expected: limited })
  const refused = await refuse(page, 6, () => true)
  await page.goto(`${full.url}/console/`)
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  assert.equal(refused(), 6)
  assert.equal(await page.getByText('Too many requests').count(), 0)
})

test('a long wait is said, and what is shown stays', async (t) => {
  const page = await open(t, full, '/missions', { expected: limited })
  await page.getByText('Full of everything').waitFor()
  await refuse(page, 1, (r) => operation(r) === 'MissionsQuery', 4)
  await page.getByRole('button', { name: 'Active' }).click()
  await page.getByText('has reached its limit of requests').waitFor()
  await page.getByText('Full of everything').waitFor()
  await page.getByText('has reached its limit of requests').waitFor({ state: 'detached' })
  await page.getByText('Full of everything').waitFor()
})

test('a change that the limit refused is made once it may be, or said to be unmade', async (t) => {
  const page = await open(t, full, `/missions/${ids.mission}`, { expected: limited })
  const pauses = (r) => operation(r)?.startsWith('actions')
  const refused = await refuse(page, 2, pauses)
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('Paused.').waitFor()
  assert.equal(refused(), 2)
  await until('the pause', async () => (await full.rest('GET', `/missions/${ids.mission}`)).status === 'paused')
  await page.unrouteAll()
  await refuse(page, 1, pauses, 600)
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByText('Too many requests: your change wasn’t saved. Try again in 10 minutes.').waitFor()
  assert.equal((await full.rest('GET', `/missions/${ids.mission}`)).status, 'paused')
})
