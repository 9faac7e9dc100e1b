// Tier: full
import assert from 'node:assert/strict'
import test from 'node:test'
import { open, prepare, serve, settled, until } from './harness.mjs'
import { crowd } from './pages.mjs'

// Counts decide here, never a clock: a busy machine is slower, but does no more.
const crowded = prepare()
await crowded.start(1)
await crowd(crowded)

// A day takes six seconds: about a hundred events a second.
const fast = await serve(14_400)
for (let n = 0; n < 12; n++)
  await fast.mission(`Fast ${n}`, {
    platforms: ['mastodon', 'linkedin', 'bluesky', 'twitter'],
    constraints: { require_approval: n % 4 === 3, posts_per_day: 10 },
    duration_days: 300,
  })

const operation = (request) =>
  request.method() === 'POST' && request.url().endsWith('/graphql') ? JSON.parse(request.postData()).operationName : null

// listen counts what a page asks for, by operation, and the events that it is sent.
function listen(page) {
  const seen = { asked: {}, events: 0, from: Date.now() }
  page.on('request', (r) => {
    const name = operation(r)
    if (name) seen.asked[name] = (seen.asked[name] ?? 0) + 1
  })
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => (seen.events += String(payload).includes('"events"'))))
  return seen
}

// held returns how many elements a page has and, after a collection, how many MB of memory.
async function held(page) {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return { elements: await page.evaluate(() => document.querySelectorAll('*').length), memory: usedSize / 1e6 }
}

test('a week that is scrolled through shows every post, and never all at once', async (t) => {
  // Two weeks ahead: on a Sunday the next week begins with what the missions' first cycle wrote.
  const day = new Date((await crowded.now()) + 14 * 24 * 3_600_000).toISOString().slice(0, 10)
  const page = await open(t, crowded, `/calendar?day=${day}`)
  const week = page.getByRole('grid', { name: 'Week' })
  const shown = () => week.locator('[data-post]').evaluateAll((all) => all.map((e) => e.dataset.post))
  const posts = new Set(await shown())
  for (let end = false, most = posts.size; !end;) {
    assert.ok(most < 110, `${most} of 140 posts at once`)
    end = await week.evaluate((e) => {
      e.scrollTop += 300
      return e.scrollTop + e.clientHeight >= e.scrollHeight - 1
    })
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50))))
    const now = await shown()
    most = now.length
    now.forEach((p) => posts.add(p))
  }
  assert.equal(posts.size, 140)
})

test('a burst of events is read once, by every page, and is forgotten', async (t) => {
  const first = await open(t, fast, '/')
  const [{ id }] = (await fast.rest('GET', '/missions')).data
  const tabs = []
  for (const path of ['/', '/calendar', '/activity', '/posts', '/inbox', `/missions/${id}`]) {
    const page = await first.context().newPage()
    await page.goto(`${fast.url}/console${path}`)
    await settled(page)
    tabs.push({ path, page, ...(await held(page)) })
  }
  const seen = tabs.map(({ page }) => listen(page))
  for (const { page } of tabs) await page.reload()
  await until('the events of hours', () => seen.every((s) => s.events > 600))
  const wrong = []
  for (const [i, { path, page, memory }] of tabs.entries()) {
    const { asked, from } = seen[i]
    const after = await held(page)
    const allowed = 6 + (Date.now() - from) / 4000
    for (const [name, n] of Object.entries(asked)) if (n > allowed && name !== 'BackgroundQuery') wrong.push(`${path}: ${n} of ${name}`)
    if (after.elements >= 1200) wrong.push(`${path}: ${after.elements} elements`)
    if (after.memory > 20) wrong.push(`${path}: ${memory} MB, then ${after.memory} MB`)
    t.diagnostic(`${path}: ${seen[i].events} events, ${after.elements} elements, ${after.memory.toFixed(1)} MB, ${JSON.stringify(asked)}`)
  }
  assert.deepEqual(wrong, [])
})

test('what events bring isn’t kept', async (t) => {
  const page = await open(t, fast, '/missions')
  let send, event
  await page.routeWebSocket(/\/graphql$/, (socket) => {
    const server = socket.connectToServer()
    server.onMessage((message) => {
      socket.send(message)
      if (!event && /"events":.*"content":\{"id"/.test(String(message))) event = String(message)
    })
    send = (message) => socket.send(message)
  })
  await page.goto(`${fast.url}/console/settings/keys`)
  await settled(page)
  await until('an event about a post', () => event)
  const before = (await held(page)).memory
  // Ten thousand more, each about another post: those of a day or two.
  const [post] = /cnt_\w+/.exec(event)
  for (let n = 0; n < 10_000; n++) send(event.replaceAll(post, `cnt_${n}`))
  await until('what they brought is dropped', async () => (await held(page)).memory < before + 3)
})

test('a service that answers slowly is asked less', async (t) => {
  const page = await open(t, fast, '/missions')
  await page.route('**/graphql', async (route) => {
    await new Promise((done) => setTimeout(done, 3000))
    await route.continue()
  })
  const seen = listen(page)
  await page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: 'Calendar' }).click()
  await page.getByRole('grid').waitFor()
  await until('a read', () => seen.asked.CalendarQuery > 1)
  const before = seen.asked.CalendarQuery
  // A read takes three seconds, so that nine pass until the next one; a busy machine may miss one.
  await page.waitForTimeout(10_000)
  assert.ok(seen.asked.CalendarQuery - before <= 1, `${seen.asked.CalendarQuery - before} reads in the ten seconds after one`)
})
