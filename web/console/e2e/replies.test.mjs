// Tier: full
import assert from 'node:assert/strict'
import test from 'node:test'
import { accessible, fits, open, prepare, until } from './harness.mjs'

// The sandbox's audience replies within hours, which pass soon.
const service = prepare()
await service.start(7200)
await service.mission('Talked about', {
  platforms: ['twitter', 'mastodon'],
  constraints: { require_approval: false, posts_per_day: 4 },
  duration_days: 300,
})
const list = async (query = '') => (await service.rest('GET', `/replies?${query}`)).data
const one = (id) => service.rest('GET', `/replies/${id}`)

const row = (page, id) => page.locator(`#${id}`)

test('a reply is seen live, and answered by keyboard', async (t) => {
  const page = await open(t, service, '/replies', { expected: [/ERR_CONNECTION_REFUSED/] }) // while the service is restarted
  const rows = page.getByRole('list', { name: 'Replies' }).getByRole('listitem')
  const before = await until('replies on both platforms', async () => {
    const all = await list('limit=100')
    return ['twitter', 'mastodon'].every((p) => all.filter((r) => r.platform === p).length > 1) && all
  })
  const next = await until('another reply', async () => (await list('limit=100')).find((r) => !before.some((b) => b.id === r.id)))
  await row(page, next.id).getByText(next.text, { exact: true }).waitFor()
  await row(page, next.id).getByText(`@${next.author.handle}`).waitFor()
  assert.ok((await rows.count()) > 1)
  // Time stands nearly still from now on: nothing comes between.
  await service.stop()
  await service.start(1)
  await page.reload()
  const [first] = await list('status=new&limit=1')
  await row(page, first.id).waitFor()
  await page.keyboard.press('j')
  while (!(await row(page, first.id).evaluate((r) => r === document.activeElement))) await page.keyboard.press('j')
  await page.keyboard.press('r')
  const text = page.getByRole('textbox', { name: 'Your answer' })
  const limit = first.platform === 'twitter' ? 280 : 500
  await text.fill('x'.repeat(limit + 1))
  await page.getByText(`${limit + 1}/${limit}`).waitFor()
  assert.ok(await page.getByRole('button', { name: 'Send' }).isDisabled())
  await text.fill('It does, from version 2 on.')
  await text.press('Escape')
  assert.equal(await text.count(), 0)
  await page.keyboard.press('r') // the row has the focus again, and the text is kept
  assert.equal(await text.inputValue(), 'It does, from version 2 on.')
  await accessible(page, 'an answer')
  for (const width of [390, 360, 1440]) await fits(page, 'an answer', width)
  await text.press('Control+Enter')
  await until('it is answered', async () => (await one(first.id)).answer?.status === 'published')
  const link = row(page, first.id).getByRole('link', { name: /^See it on/ })
  await link.waitFor()
  assert.equal(await link.getAttribute('href'), (await one(first.id)).answer.platform_url)
  assert.equal((await one(first.id)).answer.text, 'It does, from version 2 on.')
  assert.equal(await row(page, first.id).getByRole('button', { name: 'Answer' }).count(), 0)
  assert.ok(await row(page, first.id).evaluate((r) => r === document.activeElement), 'the focus is kept')
})

test('an answer that waits says why', async (t) => {
  const [reply] = await list('status=new&limit=1')
  await service.rest('POST', `/missions/${reply.mission_id}/pause`)
  await service.rest('POST', `/replies/${reply.id}/answer`, { text: 'Later.' })
  const page = await open(t, service, '/replies?state=ANSWERED')
  const paused = row(page, reply.id).getByText('The mission is paused.')
  await paused.waitFor()
  await accessible(page, 'an answer that waits')
  await service.rest('POST', `/missions/${reply.mission_id}/resume`)
  await row(page, reply.id)
    .getByRole('link', { name: /^See it on/ })
    .waitFor()
  assert.equal(await paused.count(), 0)
})

test('what is set aside leaves the new ones, and the focus stays in the list', async (t) => {
  const page = await open(t, service, '/replies')
  const count = page
    .getByRole('navigation', { name: 'Main', exact: true })
    .getByRole('link', { name: /^Replies/ })
    .locator('.count')
  await page.getByRole('group', { name: 'State' }).getByRole('button', { name: 'New' }).click()
  await page.waitForURL(/state=NEW/)
  const fresh = await list('status=new&limit=100')
  await until('the new ones', async () => (await page.locator('.reply').count()) === Math.min(fresh.length, 30))
  assert.equal(parseInt(await count.textContent()), fresh.length)
  await page.keyboard.press('j')
  const [first, second] = fresh
  assert.ok(await row(page, first.id).evaluate((r) => r === document.activeElement))
  await page.keyboard.press('d')
  await row(page, first.id).waitFor({ state: 'detached' })
  assert.equal((await one(first.id)).status, 'done')
  await until('the next one has the focus', () => row(page, second.id).evaluate((r) => r === document.activeElement))
  await until('the count', async () => parseInt(await count.textContent()) === fresh.length - 1)
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await row(page, first.id).waitFor()
  assert.equal((await one(first.id)).status, 'new')
})

test('a reply is hidden where the platform can', async (t) => {
  const page = await open(t, service, '/replies?state=NEW&platform=MASTODON')
  await page.locator('.reply').first().waitFor()
  assert.equal(await page.getByRole('button', { name: 'Hide', exact: true }).count(), 0)
  await page.getByLabel('Platform').selectOption('TWITTER')
  const [reply] = await list('status=new&platform=twitter&limit=1')
  await row(page, reply.id).getByRole('button', { name: 'Hide', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Hide this reply?' })
  await accessible(page, 'hiding')
  await dialog.getByRole('button', { name: 'Hide it' }).press('Enter')
  await row(page, reply.id).waitFor({ state: 'detached' })
  await until('it is hidden', async () => (await one(reply.id)).hiding?.done)
  await page.getByRole('group', { name: 'State' }).getByRole('button', { name: 'Hidden' }).click()
  await row(page, reply.id).getByText('Hidden', { exact: true }).waitFor()
})

test('what strangers write is text, and what became of an answer is said', async (t) => {
  const page = await open(t, service, '/replies')
  const mark = '<img src=x onerror="document.title=1"> שלום'
  await page.route('**/graphql', async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    const nodes = (json.data?.replies?.edges ?? []).map((e) => e.node)
    const answer = (status, message) => ({ text: 'An answer.', status, platformUrl: null, error: message ? { message } : null })
    if (nodes[0]?.author) {
      Object.assign(nodes[0], { text: mark, author: { name: mark, handle: 'x'.repeat(80) }, status: 'NEW' })
      nodes[0].answer = answer('FAILED', 'The platform refused it')
      Object.assign(nodes[1], { status: 'ANSWERED', answer: answer('PUBLISHING') })
      Object.assign(nodes[2], { status: 'NEW', answer: answer('UNKNOWN', 'Nobody knows.') })
      Object.assign(nodes[3], { status: 'DELETED', text: '', author: { name: null, handle: null }, answer: null, allowedActions: [] })
    }
    await route.fulfill({ response, json })
  })
  await page.reload()
  const rows = page.locator('.reply')
  await rows.nth(0).locator('.text').getByText(mark).first().waitFor()
  assert.equal(await rows.locator('img').count(), 0)
  await rows.nth(0).getByText('The platform refused it.').waitFor()
  await rows.nth(0).getByText('Failed', { exact: true }).waitFor()
  await rows.nth(1).getByText('Sending', { exact: true }).waitFor()
  await rows.nth(1).getByText('Being answered', { exact: true }).waitFor()
  await rows.nth(2).getByText('Unknown', { exact: true }).waitFor()
  await rows.nth(3).getByText('It is no longer on').waitFor()
  await accessible(page, 'replies')
  for (const width of [1440, 390, 360]) await fits(page, 'replies', width)
})

test('who may only look sees no action', async (t) => {
  const page = await open(t, service, '/replies', { as: { email: 'viewer@example.com', role: 'viewer' } })
  await page.getByText('Your role may read replies').waitFor()
  assert.equal(await page.locator('.reply button').count(), 0)
})

test('without replies the page says what would be there', async (t) => {
  const page = await open(t, service, '/replies?state=DELETED')
  await page.getByText('No reply is like that').waitFor()
  await page.route('**/graphql', async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    if (json.data?.replies?.edges) json.data.replies.edges = []
    await route.fulfill({ response, json })
  })
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await page.getByText('On X reading replies costs, so it is off unless a mission asks for it.').waitFor()
  await accessible(page, 'no replies')
})
