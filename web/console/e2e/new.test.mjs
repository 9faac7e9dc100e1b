import assert from 'node:assert/strict'
import test from 'node:test'
import { accessible, open, serve, until } from './harness.mjs'

const service = await serve()

test('a mission is created from the form', async (t) => {
  const page = await open(t, service, '/missions/new')
  await page.getByRole('textbox', { name: 'Name' }).fill('From the form')
  await page.getByRole('textbox', { name: 'Objectives' }).fill('Show what the form makes')
  await page.getByRole('textbox', { name: 'Objective 2' }).fill('And that it takes two')
  await page.getByText('Mastodon').click()
  await page.getByText('LinkedIn').click()
  await page.getByRole('textbox', { name: 'Posts a day' }).fill('3')
  await page.getByRole('combobox', { name: 'Posting days' }).selectOption('WEEKLY')
  await page.getByRole('textbox', { name: 'Days' }).fill('15')
  await page.getByText('9 posts on 3 days').waitFor()
  await page.getByRole('button', { name: 'Add a target' }).click()
  await page.getByRole('combobox', { name: 'Figure' }).selectOption('LIKES')
  await page.getByRole('textbox', { name: 'Target' }).fill('120')
  await page.getByRole('textbox', { name: 'Never about' }).fill('crypto, politics')
  await page.getByRole('button', { name: 'Start the mission' }).click()
  await page.getByRole('heading', { name: 'From the form' }).waitFor()
  const mission = await service.rest('GET', `/missions/${page.url().split('/').at(-1)}`)
  assert.deepEqual(mission.platforms.toSorted(), ['linkedin', 'mastodon'])
  assert.deepEqual(mission.constraints.excluded_topics, ['crypto', 'politics'])
  assert.equal(mission.constraints.cadence, 'weekly')
  assert.equal(mission.objectives.length, 2)
})

test('what is missing is said at its field, and focused', async (t) => {
  const page = await open(t, service, '/missions/new')
  await page.getByRole('button', { name: 'Start the mission' }).click()
  await page.getByText('Give it a name.').waitFor()
  await page.getByText('Choose at least one platform.').waitFor()
  await until('the focus', async () => (await page.evaluate(() => document.activeElement.labels?.[0]?.textContent.trim())) === 'Name')
  await accessible(page, 'the form with problems')
})

test('what the service refuses is said at its field', async (t) => {
  const page = await open(t, service, '/missions/new')
  await page.getByRole('textbox', { name: 'Name' }).fill('Refused')
  await page.getByRole('textbox', { name: 'Objectives' }).fill('Be refused')
  await page.getByText('Mastodon').click()
  await page.getByRole('textbox', { name: 'Budget' }).fill('99999999999')
  await page.getByRole('button', { name: 'Start the mission' }).click()
  await page.getByText(/must be between 0 and/).waitFor()
})
