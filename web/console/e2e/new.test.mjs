// Tier: full
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
  await page.getByRole('status').getByText('9 posts').waitFor()
  assert.equal(await page.getByRole('list', { name: 'First posts' }).getByRole('listitem').count(), 9)
  await page.getByRole('button', { name: 'Add a target' }).click()
  await page.getByRole('combobox', { name: 'Metric' }).selectOption('LIKES')
  await page.getByRole('textbox', { name: 'Target' }).fill('120')
  await page.getByRole('textbox', { name: 'Excluded topics' }).fill('crypto, politics')
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
  await page.getByText('Enter a name.').waitFor()
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

test('a platform that needs pictures says so beside the platforms', async (t) => {
  const page = await open(t, service, '/missions/new')
  const platforms = page.getByRole('region', { name: 'Platforms' })
  await platforms.getByText('Instagram', { exact: true }).click()
  await platforms.getByText('Instagram takes no post without a picture').waitFor()
  await accessible(page, 'the form with a platform that needs pictures')
  await platforms.getByText('Instagram', { exact: true }).click()
  await platforms.getByText('Instagram takes no post without a picture').waitFor({ state: 'detached' })
})

test('the estimate follows what is typed, which a reload keeps', async (t) => {
  const page = await open(t, service, '/missions/new')
  await page.getByRole('textbox', { name: 'Days' }).fill('10')
  await page.getByRole('status').getByText('20 posts').waitFor()
  await page.getByRole('textbox', { name: 'Posts a day' }).fill('51')
  await page.getByText('Posts a day must be a whole number between 1 and 50.').waitFor()
  await page.getByRole('textbox', { name: 'Posts a day' }).fill('3')
  await page.getByRole('status').getByText('30 posts').waitFor()
  await page.getByRole('textbox', { name: 'Budget' }).fill('99999999999')
  await page.getByText(/must be between 0 and/).waitFor()
  await accessible(page, 'the form with an estimate')
  await page.getByRole('textbox', { name: 'Name' }).fill('Kept')
  await page.reload()
  await page.getByRole('status').getByText('30 posts').waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), 'Kept')
  await page.getByRole('button', { name: 'Start over' }).click()
  await page.getByRole('status').getByText('42 posts').waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), '')
  await page.reload()
  assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), '')
})

test('a failed estimate says so and keeps the form', async (t) => {
  const page = await open(t, service, '/missions/new')
  const refused = { data: null, errors: [{ message: 'Something went wrong.', extensions: { code: 'internal_error' } }] }
  await page.getByRole('status').getByText('42 posts').waitFor()
  await page.route('**/graphql', (route) =>
    route.request().postData()?.includes('useEstimateQuery') ? route.fulfill({ json: refused }) : route.continue(),
  )
  await page.getByRole('textbox', { name: 'Days' }).fill('10')
  await page.getByText('The plan couldn’t be estimated.').waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Days' }).inputValue(), '10')
  await page.unroute('**/graphql')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('status').getByText('20 posts').waitFor()
})

test('a mission is created by keyboard', async (t) => {
  const page = await open(t, service, '/missions/new')
  await page.keyboard.type('By keyboard')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Use no mouse')
  await page.getByRole('checkbox', { name: 'Mastodon' }).focus()
  await page.keyboard.press('Space')
  await page.getByRole('list', { name: 'First posts' }).waitFor()
  await page.getByRole('textbox', { name: 'Name' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'By keyboard' }).waitFor()
  await page.goto(`${service.url}/console/missions/new`)
  assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), '', 'what was typed is forgotten once it is created')
})
