// Tier: full
import assert from 'node:assert/strict'
import test from 'node:test'
import { accessible, fits, open, serve, until } from './harness.mjs'

const service = await serve(1)
const brand = async () => (await service.rest('GET', '/tenant')).brand

test('a brand’s rules are kept, and what is wrong is said at its field', async (t) => {
  const page = await open(t, service, '/settings/brand')
  await page.getByLabel('Banned words').fill('cheap, revolutionary')
  await page.getByLabel('Required words').fill('Acme')
  await page.getByLabel('Emoji').selectOption('At most 3')
  await page.getByLabel('Hashtags of each post').fill('acme #tools')
  await page.getByLabel('Most hashtags').fill('1')
  await page.getByLabel('Language').fill('en-GB')
  await page.getByRole('button', { name: 'Add an example' }).click()
  await page.getByLabel('Example 1', { exact: true }).fill('Version 2.0 is out. It is faster. That is all.')
  await page.getByRole('button', { name: 'Add a fact' }).click()
  await page.getByLabel('Fact 1', { exact: true }).fill('Over 4,000 teams use Acme.')
  await page.getByLabel('Source of fact 1').fill('https://acme.example/customers')
  await page.getByLabel('Fact 1 holds until').fill('2030-06-30')
  await page.getByRole('button', { name: 'Save' }).click()
  const most = page.locator('.field').filter({ has: page.getByLabel('Hashtags of each post') })
  await most.getByText('At most 1 items are allowed.').waitFor()
  await accessible(page, 'a brand with a problem')
  await page.getByLabel('Most hashtags').fill('2')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/^Saved/).waitFor()
  const saved = await brand()
  assert.deepEqual(saved.banned_words, ['cheap', 'revolutionary'])
  assert.deepEqual(saved.required_words, ['Acme'])
  assert.deepEqual(saved.hashtags, { max: 2, always: ['#acme', '#tools'] })
  assert.equal(saved.emoji, 'few')
  assert.equal(saved.language, 'en-GB')
  assert.deepEqual(saved.examples, ['Version 2.0 is out. It is faster. That is all.'])
  assert.deepEqual(saved.facts, [
    { text: 'Over 4,000 teams use Acme.', source: 'https://acme.example/customers', expires_at: '2030-06-30T21:59:00.000Z' },
  ])
  for (const width of [1440, 1024, 390]) await fits(page, 'the brand', width)
  // What isn't touched stays to the second.
  await page.reload()
  await page.getByLabel('Voice').fill('Plain.')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/^Saved/).waitFor()
  assert.deepEqual((await brand()).facts, saved.facts)
  await page.getByRole('button', { name: 'Remove fact 1' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await until('no facts', async () => (await brand()).facts.length === 0)
})

test('a sample is written by the form as it is, and nothing is stored', async (t) => {
  const page = await open(t, service, '/settings/brand')
  await page.getByLabel('Required words').fill('Zephyr')
  await page.getByLabel('Platform').selectOption('Mastodon')
  await page.getByLabel('Subject').fill('Announce the 2.0 release')
  await page.keyboard.press('Enter')
  const post = page.getByRole('article', { name: 'Post on Mastodon' })
  await post.getByText('Zephyr', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Write another' }).click()
  await accessible(page, 'a sample')
  assert.ok(!(await brand()).required_words.includes('Zephyr'))
  assert.equal((await service.posts('limit=1')).length, 0)
  await page.getByLabel('Excluded topics').fill('release')
  await page.getByRole('button', { name: 'Write another' }).click()
  await page
    .locator('.field')
    .filter({ has: page.getByLabel('Subject') })
    .locator('.problem')
    .waitFor()
  await page.getByLabel('Excluded topics').fill('')
  // What is wrong with the form is said there.
  await page.getByLabel('Website').fill('not an address')
  await page.getByRole('button', { name: 'Write another' }).click()
  await page
    .locator('.field')
    .filter({ has: page.getByLabel('Website') })
    .getByText('must be an http or https', { exact: false })
    .waitFor()
})
