// Tier: full
// What a person typed outlives every refusal, and whatever takes its form away.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import test from 'node:test'
import { open, serve, settled, until } from './harness.mjs'

const service = await serve(1)
const mission = await service.mission('Typed for', { ...(await service.later()), platforms: ['linkedin'] })
const [post] = await service.written(mission, 1)
await service.picture('A door')
const back = 'http://127.0.0.1:9/callback'
const { client_id } = await fetch(`${service.url}/oauth/register`, {
  method: 'POST',
  body: JSON.stringify({ client_name: 'Assistant', redirect_uris: [back] }),
}).then((r) => r.json())
const asking = new URLSearchParams({
  client_id,
  redirect_uri: back,
  code_challenge: createHash('sha256').update('a verifier').digest('base64url'),
  scope: 'content:read',
})
const status = [/status of \d+/]

// answers has each change of a page answered by handle, which is null for the service.
async function answers(page, handle) {
  await page.unroute('**/graphql')
  if (handle) await page.route('**/graphql', (route) => (route.request().headers()['idempotency-key'] ? handle(route) : route.continue()))
}

// refused returns an answer with an error.
const refused = (code, message, param) => (route) =>
  route.fulfill({
    json: { data: null, errors: [{ message, extensions: { code, param, ...(param && { problems: [{ path: param, message }] }) } }] },
  })

const button = (page, name) => page.getByRole('button', { name, exact: true })
const inDialog = (page, name) => page.getByRole('dialog').getByRole('button', { name, exact: true })
const field = (page) => page.getByRole('dialog').getByRole('textbox').first()
const here = async () => {}

// Each form by its page: how it is opened, the field, what sends it, the field's path in the input, and what is typed if not
// any text will do.
const forms = [
  ['/', (p) => p.keyboard.press('Shift+H'), field, (p) => inDialog(p, 'Hold everything'), 'input.reason'],
  [`/posts/${post.id}`, (p) => p.keyboard.press('e'), (p) => p.locator('.editor textarea').first(), (p) => button(p, 'Save'), 'input.text'],
  [`/posts/${post.id}`, here, (p) => p.getByRole('textbox', { name: 'Comment' }), (p) => button(p, 'Comment'), 'input.text'],
  [`/posts/${post.id}`, (p) => button(p, 'Rewrite').click(), field, (p) => inDialog(p, 'Rewrite'), 'instructions'],
  [
    '/posts?q=x',
    async (p) => {
      await button(p, 'Views').click()
      await p.getByRole('menuitem', { name: 'Save this view' }).click()
    },
    field,
    (p) => inDialog(p, 'Save'),
    'input.saveView.name',
  ],
  [`/missions/${mission.id}/review`, (p) => button(p, 'New link').click(), field, (p) => button(p, 'Make the link'), 'input.name'],
  [
    `/missions/${mission.id}/brief`,
    (p) => p.getByRole('button', { name: 'Edit' }).click(),
    field,
    (p) => inDialog(p, 'Save'),
    'input.name',
  ],
  ['/settings/brand', here, (p) => p.getByRole('textbox', { name: 'Voice' }), (p) => button(p, 'Save'), 'input.brand.voice'],
  ['/settings/keys', (p) => button(p, 'New key').click(), field, (p) => button(p, 'Create key'), 'input.name'],
  ['/settings/webhooks', (p) => button(p, 'New endpoint').click(), field, (p) => button(p, 'Create endpoint'), 'input.url'],
  ['/settings/own', (p) => button(p, 'Set up: Language model').click(), field, (p) => inDialog(p, 'Save'), 'input.url'],
  ['/settings/tenant', here, (p) => p.getByRole('textbox', { name: 'Name', exact: true }), (p) => button(p, 'Save'), 'input.name'],
  [
    '/library',
    (p) => p.getByRole('list', { name: 'Files' }).getByRole('button').first().click(),
    (p) => p.getByRole('dialog').getByLabel('Description'),
    (p) => inDialog(p, 'Save'),
    'input.description',
  ],
  [`/agents/authorize?${asking}`, here, (p) => p.getByLabel('Posts a day'), (p) => button(p, 'Allow'), 'input.leash.postsPerDay', '7'],
]

test('a refused form keeps what was typed, marks the field, and is there again after a reload', async (t) => {
  const page = await open(t, service, '/', { expected: status })
  for (const [path, begin, box, send, param, text = `Typed ${path}`] of forms) {
    await page.goto(`${service.url}/console${path}`)
    await settled(page)
    await begin(page)
    await box(page).fill(text)
    await answers(page, refused('validation_error', 'No such words.', param))
    await send(page).click()
    await page.locator('.problem', { hasText: 'No such words.' }).waitFor()
    assert.deepEqual([await box(page).inputValue(), await box(page).getAttribute('aria-invalid')], [text, 'true'], path)
    await answers(page, refused('forbidden', 'Not for your role.'))
    await send(page).click()
    await page.getByRole('alert').filter({ hasText: 'Not for your role.' }).waitFor()
    assert.deepEqual([await box(page).inputValue(), await box(page).getAttribute('aria-invalid')], [text, null], path)
    await answers(page, null)
    await page.reload()
    await settled(page)
    if ((await box(page).count()) === 0) await begin(page)
    await until(`${path} is as it was`, async () => (await box(page).inputValue()) === text)
  }
})

test('a form that is closed or left keeps what was typed, until it is sent or discarded', async (t) => {
  const page = await open(t, service, `/missions/${mission.id}/review`, { expected: status })
  const make = () => button(page, 'New link').click()
  await make()
  await field(page).fill('Acme, marketing')
  await page.keyboard.press('Escape')
  await page.getByText('It is kept in this tab.').waitFor()
  await make()
  assert.equal(await field(page).inputValue(), 'Acme, marketing')
  await answers(page, (route) => route.fulfill({ status: 413, contentType: 'text/html', body: '<h1>413</h1>' }))
  await button(page, 'Make the link').click()
  await page.getByText('This is too large to be sent.').waitFor()
  await answers(page, (route) => route.fulfill({ status: 403, json: { message: 'Forbidden' } }))
  await button(page, 'Make the link').click()
  await page.getByText('something between you and the service refused it').waitFor()
  await answers(page, refused('conflict', 'The tenant is read-only from 2026-12-13T12:00:00Z on.'))
  await button(page, 'Make the link').click()
  await page.getByText(/The organization is read-only from .*13:00.* \(Europe\/Berlin\) on\./).waitFor()
  const ulid = '01jnd2x6k8e4rvt0m7y3bqz5ch'
  for (const [message, shown] of [
    ['This operation needs the scope missions:write.', 'Your role doesn’t allow this.'],
    ['It is on hold: release it first (API: DELETE /v1/tenant/hold or releaseTenant).', 'It is on hold: release it first.'],
    ['No public address (--public-url).', 'No public address.'],
    ['A tenant has at most 20 live API keys; revoke one first.', 'An organization has at most 20 live API keys; revoke one first.'],
    [`No such file: "med_${ulid}".`, 'No such file.'],
    [`usr_${ulid} is named twice.`, 'This member is named twice.'],
  ]) {
    await answers(page, refused('conflict', message))
    await button(page, 'Make the link').click()
    await page.getByText(shown, { exact: true }).waitFor()
  }
  await answers(page, refused('validation_error', 'unknown', 'extensions.persistedQuery'))
  await button(page, 'Make the link').click()
  await button(page, 'Reload').click() // above the dialog
  await settled(page)
  await answers(page, null)
  await make()
  assert.equal(await field(page).inputValue(), 'Acme, marketing')
  await button(page, 'Discard').click()
  await make()
  assert.equal(await field(page).inputValue(), '')

  // A change that was made is made, though a part of the answer is refused.
  await answers(page, async (route) => {
    const response = await route.fetch()
    await route.fulfill({
      response,
      json: { ...(await response.json()), errors: [{ message: 'Not yours', path: ['createReviewLink', 'x'] }] },
    })
  })
  await field(page).fill('Acme, sales')
  await button(page, 'Make the link').click()
  await page.getByRole('dialog', { name: 'The review link' }).waitFor()
  await button(page, 'I have stored it').click()
  await make()
  assert.equal(await field(page).inputValue(), '')

  await page.goto(`${service.url}/console/settings/brand`)
  const voice = page.getByRole('textbox', { name: 'Voice' })
  await voice.fill('Calm')
  await page.getByRole('link', { name: 'Members' }).click()
  await page.getByText('It is kept in this tab.').waitFor()
  await page.getByRole('link', { name: 'Brand' }).click()
  assert.equal(await voice.inputValue(), 'Calm')
})

test('what became of a post is refused at its address, which is kept', async (t) => {
  const page = await open(t, service, '/', { expected: status })
  // This post may be settled: one whose platform never answers takes an hour to make.
  await page.route('**/graphql', async (route) => {
    if (route.request().headers()['idempotency-key'])
      return refused('validation_error', 'Not a post of that account.', 'input.publishedUrl')(route)
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replaceAll('"allowedActions":[', '"allowedActions":["SETTLE",') })
  })
  await page.goto(`${service.url}/console/posts/${post.id}`)
  const begin = () => button(page, 'Was it published?').click()
  await begin()
  await field(page).fill('https://linkedin.example/1')
  await inDialog(page, 'It is there').click()
  await page.locator('.problem', { hasText: 'Not a post of that account.' }).waitFor()
  await page.keyboard.press('Escape')
  await begin()
  assert.equal(await field(page).inputValue(), 'https://linkedin.example/1')
})

test('a secret that is typed is discarded only by those who say so', async (t) => {
  const page = await open(t, service, '/settings/own')
  const begin = () => button(page, 'Set up: Language model').click()
  const key = page.getByRole('dialog').getByLabel('Key')
  const question = page.getByText('Discard what you typed?')
  await begin()
  await page.keyboard.press('Escape')
  await key.waitFor({ state: 'detached' }) // nothing is lost
  await begin()
  await key.fill('sk-secret')
  for (const leave of [() => page.keyboard.press('Escape'), () => page.mouse.click(5, 5), () => inDialog(page, 'Close').click()]) {
    await leave()
    await question.waitFor()
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    assert.equal(await key.inputValue(), 'sk-secret')
  }
  await page.keyboard.press('Escape')
  await inDialog(page, 'Keep it').click()
  assert.equal(await key.inputValue(), 'sk-secret')
  await page.keyboard.press('Escape')
  await inDialog(page, 'Discard it').click()
  await key.waitFor({ state: 'detached' })
  await begin()
  assert.equal(await key.inputValue(), '')
})

test('a rejection that is refused in the inbox is found again, with its reason', async (t) => {
  const page = await open(t, service, `/inbox/${post.id}`)
  await answers(page, refused('forbidden', 'Not for your role.'))
  await page.keyboard.press('r')
  await field(page).fill('Not in this voice')
  await inDialog(page, 'Reject').click()
  await page.getByText('Not for your role.').waitFor()
  await button(page, 'Reject again').click()
  await until('the reason', async () => (await field(page).inputValue()) === 'Not in this voice')
  await page.waitForURL(`**/inbox/${post.id}`)
  await button(page, 'Discard').click()
})

test('a rejection that is refused asks again, with its reason', async (t) => {
  const page = await open(t, service, `/posts/${post.id}`)
  await answers(page, refused('forbidden', 'Not for your role.'))
  await page.keyboard.press('r')
  await field(page).fill('Not what we say')
  await inDialog(page, 'Reject').click()
  await page.getByText('Not for your role.').waitFor()
  assert.equal(await field(page).inputValue(), 'Not what we say')
  await answers(page, null)
  await inDialog(page, 'Reject').click()
  await until('the rejection', async () => (await service.rest('GET', `/content/${post.id}`)).rejection_reason === 'Not what we say')
})
