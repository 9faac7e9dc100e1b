// Tier: full
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import test from 'node:test'
import { accessible, fits, open, serve, until } from './harness.mjs'

const service = await serve()
const back = 'http://127.0.0.1:9/callback'
const verifier = 'a-verifier-of-forty-three-characters-or-more-000'
const challenge = createHash('sha256').update(verifier).digest('base64url')

const post = (path, body) =>
  fetch(service.url + path, { method: 'POST', body: typeof body === 'string' ? body : new URLSearchParams(body) }).then((r) => r.json())

// register registers an application, and returns its id.
const register = async (name) => (await post('/oauth/register', JSON.stringify({ client_name: name, redirect_uris: [back] }))).client_id

const asking = (client, more = {}) =>
  `${service.url}/oauth/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: client,
    redirect_uri: back,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    scope: 'content:read content:write',
    state: 's1',
    ...more,
  })}`

// answered returns the answer that a page sends its application.
async function answered(page, act) {
  const answer = page.waitForRequest((r) => r.url().startsWith(back))
  await page.route(`${back}*`, (route) => route.fulfill({ body: 'done' }))
  await act()
  await page.waitForURL(`${back}*`) // or the next page is interrupted
  return new URL((await answer).url()).searchParams
}

test('the page of agents says where an assistant is connected', async (t) => {
  const page = await open(t, service, '/settings/agents')
  await page.getByText('No agents yet').waitFor()
  const address = page.getByRole('code')
  assert.equal(await address.textContent(), `${service.url}/mcp`)
  assert.equal((await fetch(await address.textContent(), { method: 'POST' })).status, 401)
  await accessible(page, 'no agents')
  for (const width of [1440, 390, 360]) await fits(page, 'no agents', width)
})

test('somebody signs in, narrows what an application may do, and it gets its tokens', async (t) => {
  const client = await register('Assistant')
  const page = await open(t, service, '/login', { as: null, expected: [/status of 401/] })
  await page.context().clearCookies()
  // A state that is as long as it may be doesn't fit on the way through the sign-in.
  await page.goto(asking(client, { state: 's'.repeat(500) }))
  await page.waitForURL(/\/console\/login/)
  await page.getByRole('button', { name: /demo/i }).click()
  await page.getByRole('heading', { name: 'Connect Assistant?' }).waitFor()
  await page.getByText('Nothing proves whose application this is').waitFor()
  await page.getByText('this computer').waitFor()
  await accessible(page, 'the consent')
  for (const width of [1440, 390, 360]) await fits(page, 'the consent', width)
  await page.getByLabel('Write and review posts').uncheck()
  await page.getByLabel('US dollars a day').fill('2.50')
  await page.getByLabel('Posts a day').fill('3')
  const answer = await answered(page, () => page.getByRole('button', { name: 'Allow' }).click())
  assert.equal(answer.get('state'), 's'.repeat(500))
  assert.equal(answer.get('iss'), service.url)
  const tokens = await post('/oauth/token', {
    grant_type: 'authorization_code',
    client_id: client,
    code: answer.get('code'),
    redirect_uri: back,
    code_verifier: verifier,
    resource: `${service.url}/mcp`,
  })
  assert.equal(tokens.scope, 'content:read')
  await page.goto(`${service.url}/console/settings/agents`)
  await page.getByText('Today: 0 of 3 posts, $0.00 of $2.50, 0 changes.').waitFor()
  await accessible(page, 'the agents')

  // It asks again: the earlier one ends, unless the person keeps it.
  await page.goto(asking(client))
  await page.getByText('End the agent of the same name').waitFor()
  await answered(page, () => page.getByRole('button', { name: 'Allow' }).click())
  await page.goto(`${service.url}/console/settings/agents`)
  await page.getByText('Revoked').waitFor()
  await page.getByText('Not connected yet').waitFor() // its code wasn't exchanged
  assert.equal(await page.getByRole('button', { name: 'Revoke Assistant' }).count(), 1)
  const refresh = { grant_type: 'refresh_token', client_id: client, refresh_token: tokens.refresh_token }
  assert.equal((await post('/oauth/token', refresh)).error, 'invalid_grant')

  await page.getByRole('button', { name: 'Revoke Assistant' }).click()
  await accessible(page, 'revoking an agent')
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('Assistant is revoked.').waitFor()
  await until('the agent is revoked', async () => (await page.getByRole('button', { name: 'Revoke Assistant' }).count()) === 0)
})

test('what an agent does is in the audit log under its name', async (t) => {
  const client = await register('Planner')
  const page = await open(t, service, '/')
  await page.goto(asking(client, { scope: 'missions:read missions:write' }))
  const answer = await answered(page, () => page.getByRole('button', { name: 'Allow' }).click())
  const tokens = await post('/oauth/token', {
    grant_type: 'authorization_code',
    client_id: client,
    code: answer.get('code'),
    redirect_uri: back,
    code_verifier: verifier,
  })
  const plan = { name: 'Planned', objectives: ['Tell it'], platforms: ['mastodon'], duration_days: 3 }
  const called = await fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${tokens.access_token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'mission_create', arguments: plan } }),
  })
  assert.equal((await called.json()).result.isError, undefined)
  await page.goto(`${service.url}/console/settings/audit?action=AGENT_ACTED`)
  await page.getByText('by the agent Planner').waitFor()
})

test('who refuses goes back with an error', async (t) => {
  const client = await register('Unwanted')
  const page = await open(t, service, '/')
  await page.goto(asking(client))
  await page.getByRole('heading', { name: 'Connect Unwanted?' }).waitFor()
  const answer = await answered(page, () => page.getByRole('button', { name: 'Refuse' }).click())
  assert.equal(answer.get('error'), 'access_denied')
  assert.equal(answer.get('iss'), service.url)
  await page.goto(`${service.url}/console/settings/agents`)
  assert.equal(await page.getByText('Unwanted').count(), 0)
})

test('a viewer is asked for no more than a viewer may do', async (t) => {
  const client = await register('Reader')
  const page = await open(t, service, '/', { as: { email: 'viewer@example.com', role: 'viewer' } })
  await page.goto(asking(client, { scope: '' }))
  await page.getByLabel('Read posts, files and replies').waitFor()
  assert.equal(await page.getByLabel('Write and review posts').count(), 0)
})

test('an application that names another address is shown to nobody', async (t) => {
  const client = await register('Elsewhere')
  const page = await open(t, service, '/', { expected: [/status of 400/] })
  await page.goto(asking(client, { redirect_uri: 'https://evil.example/' }))
  await page.getByRole('heading', { name: /can’t be connected/ }).waitFor()
  assert.equal(await page.getByRole('link').count(), 0)
})
