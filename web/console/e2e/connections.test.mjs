// Tier: full
import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { accessible, fits, open, serve, settled, until } from './harness.mjs'
import { Mastodon } from './mastodon.mjs'

const service = await serve(1440)
const mastodon = await new Mastodon().start()
after(() => mastodon.stop())

const platform = (page) => page.getByRole('region', { name: 'Mastodon' })
const account = (page, name) => platform(page).getByRole('listitem').filter({ hasText: name })
const integrations = async () => (await service.rest('GET', '/integrations')).data

// ask goes from the connections to the server's page of consent.
async function ask(page) {
  await platform(page)
    .getByRole('button', { name: /^(Connect|Another account)$/ })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Connect Mastodon' })
  await dialog.getByRole('textbox', { name: 'Server' }).fill(mastodon.url)
  await goOn(page, dialog)
}

// goOn leaves a dialog for the server's page of consent, by the page that says who asks.
async function goOn(page, dialog) {
  await dialog.getByRole('button', { name: 'Go to Mastodon' }).click()
  await page.getByRole('heading', { name: /^Connect an account on Mastodon to .+\?$/ }).waitFor()
  await page.getByRole('button', { name: /^Go on to / }).click()
  await page.getByRole('heading', { name: 'Authorization required' }).waitFor()
}

// consent connects a person's account.
async function consent(page, who) {
  await ask(page)
  await page.getByRole('combobox', { name: 'Sign in as' }).selectOption(who)
  await page.getByRole('button', { name: 'Authorize' }).click()
  await page.getByText('Connected. Posts go out through this account now.').waitFor()
}

// choose runs an action of an account's menu.
async function choose(page, name, action) {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

test('a consent that is denied connects nothing, and says so', async (t) => {
  const page = await open(t, service, '/connections')
  await ask(page)
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.getByText(/granted no access/).waitFor()
  await page.waitForURL(`${service.url}/console/connections`)
  assert.deepEqual(
    (await integrations()).filter((i) => i.status === 'connected'),
    [],
  )
  assert.equal(await platform(page).getByText('Connected', { exact: true }).count(), 0)
})

test('an account is connected, tested, and publishes', async (t) => {
  const page = await open(t, service, '/connections')
  await consent(page, 'ada')
  await page.waitForURL(`${service.url}/console/connections`)
  await account(page, 'Ada L.').getByText('Connected', { exact: true }).waitFor()
  await account(page, 'Ada L.')
    .getByText(`@ada@${new URL(mastodon.url).host}`)
    .waitFor()
  await account(page, 'Ada L.').getByText('Default', { exact: true }).waitFor()
  await accessible(page, 'the connections')
  await account(page, 'Ada L.').getByRole('button', { name: 'Test' }).click()
  await page.getByText(/The connection works/).waitFor()
  await service.mission('Published there', { platforms: ['mastodon'], constraints: { require_approval: false } })
  await until('a post on the server', () => mastodon.statuses.length > 0)
  assert.equal(mastodon.statuses[0].account.acct, 'ada')
  const [post] = await until('the published post', async () => {
    const posts = await service.posts('status=published')
    return posts.length > 0 && posts
  })
  assert.ok(
    mastodon.statuses.some((s) => s.url === post.platform_url),
    `the post is at ${post.platform_url}`,
  )
  await account(page, 'Ada L.')
    .getByText(/^(No posts wait|\d+ posts? waits?) · last published .+ · used by Published there$/)
    .waitFor()
  await accessible(page, 'an account that is used')
  for (const width of [1024, 720, 390]) await fits(page, 'an account that is used', width)
  await account(page, 'Ada L.').getByRole('link', { name: 'Published there' }).click()
  await page.getByRole('heading', { name: 'Published there' }).waitFor()
})

test('where a platform doesn’t say how many follow an account, nothing offers that', async (t) => {
  const page = await open(t, service, '/connections')
  const followers = account(page, 'Ada L.').getByText('Followers', { exact: true })
  assert.equal(await followers.count(), 1)
  await page.route('**/graphql', async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    for (const p of body.data?.platforms ?? []) if (p.accountFigures) p.accountFigures = []
    await route.fulfill({ response, json: body })
  })
  await page.reload()
  await account(page, 'Ada L.').waitFor()
  assert.equal(await followers.count(), 0)
})

test('how many follow an account is drawn by day, with gaps where that is unknown', async (t) => {
  const page = await open(t, service, '/connections')
  const { id } = (await integrations()).find((i) => i.account?.name === 'Ada L.')
  const series = async () => (await service.rest('GET', `/integrations/${id}/series`)).data
  await until('a figure', async () => (await series()).some((d) => d.followers !== null))
  assert.equal((await series()).length, 30)
  const followers = account(page, 'Ada L.').getByText('Followers', { exact: true }).first()
  await followers.click()
  await account(page, 'Ada L.')
    .getByText(/: 1,204$/)
    .waitFor()
  await accessible(page, 'an account’s followers')

  // Of ninety days one is missing, and after that eleven with a single one among them.
  await page.route('**/graphql', async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    const days = body.data?.integration?.series
    days?.forEach((d, n) => (d.followers = n === 30 || (n > 50 && n < 62 && n !== 56) ? null : 12_000 + 9 * n + (n % 7)))
    await route.fulfill({ response, json: body })
  })
  await page.reload()
  await settled(page)
  await followers.click()
  const chart = account(page, 'Ada L.').getByRole('img', { name: 'Followers' })
  await chart.waitFor()
  assert.equal((await chart.locator('path.line').getAttribute('d')).match(/M/g).length, 4)
  assert.equal(await chart.locator('circle.small-dot').count(), 1)
  await account(page, 'Ada L.').getByText('Table').click()
  await until('a row for each day that is known', async () => (await account(page, 'Ada L.').getByRole('row').count()) === 1 + 90 - 11)
  await account(page, 'Ada L.').getByText('Table').click()
  for (const width of [1024, 720, 390]) await fits(page, 'an account’s followers', width)
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/followers.png`, fullPage: true })
})

test('a second account is renamed, becomes the default, and is disconnected', async (t) => {
  const page = await open(t, service, '/connections')
  await consent(page, 'grace')
  await account(page, 'Grace H.').waitFor()
  assert.equal(await account(page, 'Grace H.').getByText('Default', { exact: true }).count(), 0)

  await choose(page, 'Grace H.', 'Rename')
  const naming = page.getByRole('dialog', { name: 'Rename the account' })
  const name = naming.getByRole('textbox', { name: 'Name' })
  await name.fill('Support')
  const refusal = { message: 'Not such a name.', extensions: { code: 'validation_error', param: 'input.label' } }
  await page.route('**/graphql', (route) =>
    route.request().headers()['idempotency-key'] ? route.fulfill({ json: { data: null, errors: [refusal] } }) : route.continue(),
  )
  await naming.getByRole('button', { name: 'Save' }).click()
  await naming.getByText('Not such a name.').waitFor()
  assert.deepEqual([await name.inputValue(), await name.getAttribute('aria-invalid')], ['Support', 'true'])
  await page.unroute('**/graphql')
  await naming.getByRole('button', { name: 'Save' }).click()
  await account(page, 'Support').waitFor()

  await choose(page, 'Support', 'Make default')
  await account(page, 'Support').getByText('Default', { exact: true }).waitFor()
  await account(page, 'Ada L.').getByText('Default', { exact: true }).waitFor({ state: 'detached' })
  await page.reload()
  await settled(page)
  await account(page, 'Support').getByText('Default', { exact: true }).waitFor()

  await choose(page, 'Support', 'Disconnect')
  const asked = page.getByRole('dialog', { name: 'Disconnect Support?' })
  await accessible(page, 'the question')
  await asked.getByRole('button', { name: 'Keep it' }).click()
  await asked.waitFor({ state: 'detached' })
  assert.equal(await account(page, 'Support').count(), 1)
  await choose(page, 'Support', 'Disconnect')
  await asked.getByRole('button', { name: 'Disconnect', exact: true }).click()
  await account(page, 'Support').waitFor({ state: 'detached' })
  await account(page, 'Ada L.').getByText('Default', { exact: true }).waitFor()
  assert.deepEqual(
    (await integrations()).filter((i) => i.status === 'connected').map((i) => [i.account.name, i.default]),
    [['Ada L.', true]],
  )
})

test('analytics show the posts of one account', async (t) => {
  await service.mission('Beside it', { platforms: ['twitter'], constraints: { require_approval: false } })
  const [{ id }] = (await service.rest('GET', '/integrations')).data.filter((i) => i.account?.name === 'Ada L.')
  const measured = async (query) => (await service.rest('GET', `/analytics?${query}`)).posts
  await until('posts of the account and others', async () => {
    const own = await measured(`integration_id=${id}`)
    return own > 0 && (await measured('')) > own
  })
  const page = await open(t, service, '/analytics')
  const posts = page.getByRole('region', { name: 'Figures by post' })
  await posts.getByRole('img', { name: 'X', exact: true }).first().waitFor()
  await page.getByRole('combobox', { name: 'Account' }).selectOption('Mastodon: Ada L.')
  await page.waitForURL(/account=int_/)
  await posts.getByRole('img', { name: 'X', exact: true }).first().waitFor({ state: 'detached' })
  await posts.getByRole('img', { name: 'Mastodon', exact: true }).first().waitFor()
  await page.getByRole('region', { name: 'Figures by mission' }).getByRole('link', { name: 'Published there' }).waitFor()
  await accessible(page, 'the figures of an account')
  await page.reload()
  await settled(page)
  assert.equal(await page.getByRole('combobox', { name: 'Account' }).inputValue(), id)
  await page.getByRole('combobox', { name: 'Account' }).selectOption('All accounts')
  await posts.getByRole('img', { name: 'X', exact: true }).first().waitFor({ state: 'attached' })
})

test('a person says what became of posts whose server never answered', async (t) => {
  mastodon.silent = true
  t.after(() => (mastodon.silent = false))
  const mission = await service.mission('Unanswered', { platforms: ['mastodon'], constraints: { require_approval: false } })
  const posts = await Promise.all(
    ['The first by hand.', 'The second by hand.'].map((text) =>
      service.rest('POST', '/content', { mission_id: mission.id, platform: 'mastodon', text }),
    ),
  )
  const state = async (p) => (await service.rest('GET', `/content/${p.id}`)).status
  for (const p of posts) await until('a post that is unknown', async () => (await state(p)) === 'unknown')
  const page = await open(t, service, `/missions/${mission.id}/posts`)
  const ask = (text) => page.getByRole('listitem').filter({ hasText: text }).getByRole('button', { name: 'Was it published?' })
  const dialog = page.getByRole('dialog', { name: 'Is the post on Mastodon?' })
  await ask('The first by hand.').click()
  await accessible(page, 'the question')
  await dialog.getByRole('textbox', { name: 'Its address' }).fill('https://mastodon.example/@ada/1')
  await dialog.getByRole('button', { name: 'It is there' }).click()
  await dialog.getByText(/The address must be one of/).waitFor()
  await dialog.getByRole('textbox', { name: 'Its address' }).fill(`${mastodon.url}/@ada/4711`)
  await dialog.getByRole('button', { name: 'It is there' }).click()
  await page.getByText('Recorded as published.').waitFor()
  await ask('The first by hand.').waitFor({ state: 'detached' })
  assert.equal((await service.rest('GET', `/content/${posts[0].id}`)).platform_url, `${mastodon.url}/@ada/4711`)
  const viewer = await open(t, service, `/missions/${mission.id}/posts`, { as: { email: 'viewer@example.com', role: 'viewer' } })
  await viewer.getByText('The second by hand.', { exact: true }).waitFor()
  assert.equal(await viewer.getByRole('button', { name: 'Was it published?' }).count(), 0)
  await ask('The second by hand.').click()
  mastodon.silent = false
  await dialog.getByRole('button', { name: 'It isn’t there: publish again' }).click()
  await until('the post', async () => (await state(posts[1])) === 'published')
  assert.equal(mastodon.statuses.filter((s) => s.content === '<p>The second by hand.</p>').length, 1)
  await service.rest('POST', `/missions/${mission.id}/complete`)
})

test('a viewer sees the accounts, and no buttons', async (t) => {
  const page = await open(t, service, '/connections', { as: { email: 'viewer@example.com', role: 'viewer' } })
  await account(page, 'Ada L.').waitFor()
  assert.equal(await page.getByRole('main').getByRole('button').count(), 0)
})

test('an account that was refused is connected again', async (t) => {
  assert.deepEqual(mastodon.refused, [])
  const page = await open(t, service, '/connections')
  const button = account(page, 'Ada L.').getByRole('button', { name: 'Test' })
  await button.waitFor()
  mastodon.revoke() // a post or a measurement that is due now would find it out first
  await button.click()
  await account(page, 'Ada L.').getByText('Reconnect', { exact: true }).waitFor()
  await account(page, 'Ada L.')
    .getByText(/^Mastodon no longer accepts this account \(.+[^.]\)\. (No posts wait|\d+ posts? waits?)\. Connect again\.$/)
    .waitFor()
  await account(page, 'Ada L.').getByRole('button', { name: 'Connect again' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect Mastodon' })
  assert.equal(await dialog.getByRole('textbox', { name: 'Server' }).inputValue(), mastodon.url)
  await goOn(page, dialog)
  await page.getByRole('button', { name: 'Authorize' }).click()
  await account(page, 'Ada L.').getByText('Connected', { exact: true }).waitFor()
  assert.equal((await integrations()).filter((i) => i.account?.name === 'Ada L.').length, 1)
})

test('a disconnected account keeps its figures', async (t) => {
  const page = await open(t, service, '/connections')
  await choose(page, 'Ada L.', 'Disconnect')
  await page.getByRole('dialog', { name: 'Disconnect Ada L.?' }).getByRole('button', { name: 'Disconnect', exact: true }).click()
  await account(page, 'Ada L.').waitFor({ state: 'detached' })
  await page.goto(`${service.url}/console/analytics?by=account`)
  await page.locator('optgroup[label=Disconnected] option').filter({ hasText: 'Mastodon: Ada L.' }).waitFor({ state: 'attached' })
  const line = page.getByRole('region', { name: 'Figures by account' }).getByRole('row').filter({ hasText: 'Ada L.' })
  await line.getByText('disconnected').waitFor()
  await page.getByRole('combobox', { name: 'Account' }).selectOption('Mastodon: Ada L.')
  await page.getByRole('region', { name: 'Figures by post' }).getByRole('img', { name: 'Mastodon', exact: true }).first().waitFor()
})
