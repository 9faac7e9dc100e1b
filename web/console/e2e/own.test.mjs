// Tier: full
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import test from 'node:test'
import { accessible, open, serve } from './harness.mjs'

const service = await serve(1)

// An endpoint that takes no key.
const endpoint = createServer((_, response) =>
  response.writeHead(401, { 'Content-Type': 'application/json' }).end('{"error":{"message":"No such key"}}'),
)
await new Promise((done) => endpoint.listen(0, '127.0.0.1', done))
test.after(() => endpoint.close())
const url = `http://127.0.0.1:${endpoint.address().port}/v1`

test('a language model of one’s own is set, says why it fails, and is removed', async (t) => {
  const page = await open(t, service, '/settings/own')
  const card = page.locator('section').filter({ hasText: 'Language model' })
  await page.getByRole('button', { name: 'Set up: Language model' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Endpoint').fill('http://10.0.0.1/v1')
  await dialog.getByLabel('Model').fill('m')
  await dialog.getByLabel('Key').fill('sk-secret')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog
    .locator('.field')
    .filter({ has: page.getByLabel('Endpoint') })
    .locator('.problem')
    .waitFor()
  await accessible(page, 'a model of one’s own')
  await dialog.getByLabel('Endpoint').fill(url)
  await dialog.getByLabel('Price of input').fill('0.25')
  await page.keyboard.press('Enter')
  await card.getByText('Stored, and never shown').waitFor()
  await card.getByText('US$0.25 in, US$0 out', { exact: false }).waitFor()
  assert.ok(!(await page.content()).includes('sk-secret'))

  // Without the key typed again the stored one stays.
  await page.getByRole('button', { name: 'Change: Language model' }).click()
  await dialog.getByLabel('Model').fill('another')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await card.getByText('another', { exact: true }).waitFor()
  assert.equal((await service.rest('GET', '/tenant/writer')).key_set, true)

  await page.getByRole('link', { name: 'Brand' }).click()
  await page.getByRole('button', { name: 'Write a sample' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await page.getByRole('menuitem').filter({ hasText: 'language model' }).first().click()
  await card.getByText('Failing', { exact: true }).waitFor()
  await card.getByText('The endpoint rejects calls, and posts wait', { exact: false }).waitFor()
  await accessible(page, 'a model of one’s own that fails')

  await page.getByRole('button', { name: 'Remove: Language model' }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Set up: Language model' }).waitFor()
})

test('an application of one’s own at a platform is set and removed', async (t) => {
  const page = await open(t, service, '/settings/own')
  const card = page.locator('section').filter({ hasText: 'Application at LinkedIn' })
  await page.getByRole('button', { name: 'Set up: Application at LinkedIn' }).click()
  const dialog = page.getByRole('dialog')
  assert.equal(await dialog.getByLabel('Redirect URL').inputValue(), `${service.url}/integrations/callback/linkedin`)
  await dialog.getByLabel('Client ID').fill('own')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog
    .locator('.field')
    .filter({ has: page.getByLabel('Client secret') })
    .locator('.problem')
    .waitFor()
  await dialog.getByLabel('Client secret').fill('very-secret')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await card.getByText('Stored, and never shown').waitFor()
  await page.getByRole('button', { name: 'Remove: Application at LinkedIn' }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Set up: Application at LinkedIn' }).waitFor()
})

test('an editor sees none of it', async (t) => {
  const page = await open(t, service, '/settings/own', { as: { email: 'editor@example.com', role: 'editor' } })
  await page.getByText('This is for administrators').waitFor()
  assert.equal(await page.getByRole('link', { name: 'Writer and platforms' }).count(), 0)
})
