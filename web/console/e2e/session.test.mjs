// Tier: full
import assert from 'node:assert/strict'
import test from 'node:test'
import { accessible, open, serve, until } from './harness.mjs'

const service = await serve()

test('signing in leads back to the page that was asked for', async (t) => {
  const page = await open(t, service, '/login', { as: null, expected: [/status of 401/] })
  await page.context().clearCookies()
  await page.goto(`${service.url}/console/missions?status=DRAFT`)
  await page.waitForURL(/\/console\/login/)
  await accessible(page, 'the sign-in')
  await page.getByText('60 times real time').waitFor()
  await page.getByRole('button', { name: /demo/i }).click()
  await page.waitForURL(/\/console\/missions\?status=DRAFT/)
  await page.getByRole('heading', { name: 'Missions' }).waitFor()
  await page.getByRole('button', { name: /Demo/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL(/login/)
  await page.goto(`${service.url}/console/inbox`)
  await page.waitForURL(/login/)
})

test('a viewer sees no buttons, and the service refuses too', async (t) => {
  const mission = await service.mission('Looked at')
  await service.written(mission, 2)
  const page = await open(t, service, '/inbox', { as: { email: 'viewer@example.com', role: 'viewer' } })
  await page.getByRole('article').first().waitFor()
  assert.equal(await page.getByRole('button', { name: 'Approve' }).count(), 0)
  assert.equal(await page.getByRole('link', { name: 'New mission' }).count(), 0)
  await page.keyboard.press('a')
  await page.goto(`${service.url}/console/missions/${mission.id}`)
  await page.getByRole('heading', { name: 'Looked at' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Pause' }).count(), 0)
  await page.goto(`${service.url}/console/settings/usage`)
  await page.getByText('This month').waitFor()
  await page.getByText('New missions').waitFor()
  assert.equal(await page.getByRole('link', { name: 'API keys' }).count(), 0)
  const refused = await page.evaluate(
    (id) =>
      fetch('/graphql', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ query: `mutation { pauseMission(id: "${id}") { pausedAt } }` }),
      }).then((r) => r.json()),
    mission.id,
  )
  assert.equal(refused.errors[0].extensions.code, 'forbidden')
  assert.equal((await service.rest('GET', `/missions/${mission.id}`)).status, 'active')
})

test('a session that was left open elsewhere is ended', async (t) => {
  const who = { as: { email: 'roaming@example.com', role: 'viewer' }, expected: [/status of 401/, /closed|WebSocket/] }
  const left = await open(t, service, '/settings/sessions', who)
  await left.getByText('This one').waitFor()
  const page = await open(t, service, '/settings/sessions', who)
  await page.getByText('This one').waitFor()
  await accessible(page, 'the sessions')
  const emails = page.getByLabel('E-mails about posts that wait for review')
  assert.equal(await emails.isChecked(), true)
  await emails.click()
  await page.reload()
  await until('the e-mails are off', async () => !(await emails.isChecked()))
  const others = page.getByRole('button', { name: /^End the session of/ })
  assert.equal(await others.count(), 1)
  await others.click()
  await page.getByText('Session ended.').waitFor()
  await others.waitFor({ state: 'detached' })
  const status = await left.evaluate(() =>
    fetch('/graphql', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: '{ viewer { user { id } } }' }),
    }).then((r) => r.status),
  )
  assert.equal(status, 401)
  assert.equal(await page.getByText('This one').count(), 1)
})

test('two pages of one session both go on', async (t) => {
  const one = await open(t, service, '/missions')
  const two = await one.context().newPage()
  await two.goto(`${service.url}/console/missions`)
  await two.locator('h1').waitFor()
  for (const page of [one, two, one, two]) {
    const status = await page.evaluate(() => fetch('/console/session', { method: 'POST' }).then((r) => r.status))
    assert.equal(status, 204)
  }
  const mission = await service.mission('Seen by both')
  for (const page of [one, two]) await page.locator(`a[href$="${mission.id}"]`).waitFor()
})

// signedOut ends a page's session, and signsIn signs the person in again where the page leads to. Until then the page gets no answer
// to what it reads: only what the person does meets the end of the session, and not what the page reads again by itself.
async function signedOut(page) {
  await page.route('**/graphql', (route) => route.request().headers()['idempotency-key'] && route.continue())
  await page.context().clearCookies()
}
async function signsIn(page, where) {
  await page.waitForURL(/\/console\/login/)
  await page.unroute('**/graphql')
  await page.getByRole('button', { name: /demo/i }).click()
  await page.waitForURL(where)
}
const ended = [/status of 401/, /WebSocket/]

test('what is half typed when the session ends is there after signing in again', async (t) => {
  const page = await open(t, service, '/calendar', { expected: ended })
  await service.mission('Written for')
  await page.keyboard.press('n')
  const text = page.getByRole('dialog', { name: 'Write a post' }).getByRole('textbox', { name: 'Text', exact: true })
  await text.fill('Half a sentence')
  await signedOut(page)
  await text.pressSequentially(', and more') // it is checked as it is typed
  await signsIn(page, /\/console\/calendar/)
  await page.getByRole('button', { name: 'Write a post', exact: true }).click()
  await until('the text', async () => (await text.inputValue()).startsWith('Half a sentence, '))

  await page.goto(`${service.url}/console/settings/brand`)
  const voice = page.getByRole('textbox').first()
  await voice.fill('Calm, and never shouting')
  await signedOut(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await signsIn(page, /\/console\/settings\/brand/)
  await page.getByText('Your session had ended: your last change wasn’t saved').waitFor()
  assert.equal(await voice.inputValue(), 'Calm, and never shouting')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved. New posts').waitFor()
  await page.reload()
  await until('it is saved', async () => (await voice.inputValue()) === 'Calm, and never shouting')
})

test('a decision that meets the end of the session is said to be unmade', async (t) => {
  const mission = await service.mission('Too late', await service.later())
  const [post] = await service.written(mission, 1)
  const page = await open(t, service, `/inbox/${post.id}`, { expected: ended })
  await signedOut(page)
  await page.keyboard.press('a')
  await signsIn(page, /\/console\/inbox/)
  await page.getByText('Your session had ended: your last change wasn’t saved').waitFor()
  assert.equal((await service.rest('GET', `/content/${post.id}`)).status, 'pending_review')
})

test('a decision and a hold in one tab are seen in another', async (t) => {
  const mission = await service.mission('In two tabs', await service.later())
  const [post] = await service.written(mission, 1)
  const one = await open(t, service, `/inbox/${post.id}`)
  const two = await one.context().newPage()
  await two.goto(`${service.url}/console/inbox/${post.id}`)
  await two.locator(`.inbox a[href$="/inbox/${post.id}"]`).waitFor()
  await one.keyboard.press('a')
  await two.locator(`.inbox a[href$="/inbox/${post.id}"]`).waitFor({ state: 'detached' })
  await two.keyboard.press('Shift+H')
  const dialog = two.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('A look at both tabs')
  await dialog.getByRole('button', { name: 'Hold everything' }).click()
  await one.getByText('Everything is on hold').waitFor()
  await one.getByRole('button', { name: 'Release' }).click()
  await two.getByText('Everything is on hold').waitFor({ state: 'detached' })
})
