// The clients that assistants are built with sign in: TypeScript's SDK 1.x, and its client 2.x.
import assert from 'node:assert/strict'
import test from 'node:test'
import { Client as Two, StreamableHTTPClientTransport as TwoTransport } from '@modelcontextprotocol/client'
import { Client as One } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OneTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { serve } from '../service.mjs'

const service = await serve()
const address = new URL(`${service.url}/mcp`)
const info = { name: 'missiond-test', version: '1' }
const callback = 'http://127.0.0.1:9/callback'
const plan = { name: 'By TypeScript', objectives: ['Tell it'], platforms: ['mastodon'], duration_days: 3 }

// The demo tenant's person, signed in to the console.
const login = await fetch(`${service.url}/console/login`, {
  method: 'POST',
  redirect: 'manual',
  headers: { Origin: service.url },
  body: new URLSearchParams({ as: 'demo' }),
})
const cookie = login.headers
  .getSetCookie()
  .map((c) => c.split(';')[0])
  .join('; ')

// consents goes where a program sends its browser, allows it some scopes, or all for undefined, and returns the answer.
async function consents(url, scopes) {
  const response = await fetch(url, { redirect: 'manual' })
  assert.equal(response.status, 303, await response.text())
  const asked = new URL(response.headers.get('location'), service.url).searchParams
  const request = {
    clientId: asked.get('client_id'),
    redirectUri: asked.get('redirect_uri'),
    codeChallenge: asked.get('code_challenge'),
    scope: asked.get('scope'),
    state: asked.get('state'),
  }
  const allowed = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { Cookie: cookie, Origin: service.url, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      query: 'mutation ($in: AllowAgentInput!) { allowAgent(input: $in) { redirectUrl } }',
      variables: { in: { request, scopes } },
    }),
  }).then((r) => r.json())
  assert.equal(allowed.errors, undefined, JSON.stringify(allowed.errors))
  return new URL(allowed.data.allowAgent.redirectUrl).searchParams
}

// Program is what an assistant keeps: its registration and its tokens.
class Program {
  redirectUrl = callback

  constructor(name) {
    this.clientMetadata = {
      client_name: name,
      redirect_uris: [callback],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    }
  }

  clientInformation = () => this.registered
  saveClientInformation = (registered) => void (this.registered = registered)
  tokens = () => this.held
  saveTokens = (tokens) => void (this.held = tokens)
  redirectToAuthorization = (url) => void (this.sentTo = url)
  saveCodeVerifier = (verifier) => void (this.verifier = verifier)
  codeVerifier = () => this.verifier
  saveDiscoveryState = (found) => void (this.found = found)
  discoveryState = () => this.found

  invalidateCredentials(what) {
    if (what === 'all' || what === 'tokens') this.held = undefined
    if (what === 'all' || what === 'client') this.registered = undefined
    if (what === 'all' || what === 'discovery') this.found = undefined
  }

  // allowed has a person allow what the program asked for last.
  async allowed(transport, scopes) {
    assert.ok(this.sentTo, 'the program asks nobody')
    const answer = await consents(this.sentTo, scopes)
    this.sentTo = undefined
    await transport.finishAuth(answer.get('code'), answer.get('iss'))
  }

  // lapse has the access token refused, so that the program refreshes it, and returns the refresh token.
  lapse() {
    const { refresh_token } = this.held
    this.held = { ...this.held, access_token: 'lapsed' }
    return refresh_token
  }

  // rotate uses a refresh token, and returns the response.
  rotate = (refresh_token) =>
    fetch(`${service.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'refresh_token', client_id: this.registered.client_id, refresh_token }),
    })
}

// signsIn connects a client, whose person allows it some scopes.
async function signsIn(program, make, scopes) {
  const first = make(program)
  await assert.rejects(first.client.connect(first.transport), /Unauthorized/)
  await program.allowed(first.transport, scopes)
  const connected = make(program)
  await connected.client.connect(connected.transport)
  return connected
}

const names = async (client) => (await client.listTools()).tools.map((tool) => tool.name)

// lifetime plays the life of a program's tokens, up to where it may read missions only.
async function lifetime(program, make) {
  let { client } = await signsIn(program, make, ['MISSIONS_READ'])
  assert.ok((await names(client)).includes('missions_list'))
  assert.ok(!(await names(client)).includes('mission_create'))
  assert.ok(!(await client.callTool({ name: 'missions_list', arguments: {} })).isError)

  const old = program.lapse()
  await client.callTool({ name: 'missions_list', arguments: {} })
  program.lapse()
  await client.callTool({ name: 'missions_list', arguments: {} })
  assert.notEqual(program.held.refresh_token, old)
  assert.equal(program.sentTo, undefined, 'somebody is asked again')

  const reused = await program.rotate(old)
  assert.equal(reused.status, 400)
  assert.equal((await reused.json()).error, 'invalid_grant')
  await assert.rejects(client.callTool({ name: 'missions_list', arguments: {} }), /Unauthorized/) // which has ended the grant
  await client.close()
  program.invalidateCredentials('tokens')
  return signsIn(program, make, ['MISSIONS_READ'])
}

// byKey plays a client with a key, which needs no sign-in.
async function byKey(client, Transport) {
  await client.connect(new Transport(address, { requestInit: { headers: { Authorization: `Bearer ${service.key}` } } }))
  assert.equal((await names(client)).length, 20)
  const made = await client.callTool({ name: 'mission_create', arguments: plan })
  const id = made.structuredContent.id
  const read = await client.callTool({ name: 'mission_get', arguments: { mission_id: id } })
  assert.equal(read.structuredContent.name.untrusted_text, plan.name)
  assert.ok((await client.callTool({ name: 'mission_get', arguments: { mission_id: 'x' } })).isError)
  assert.equal((await client.listPrompts()).prompts.length, 3)
  const resource = await client.readResource({ uri: `missiond://missions/${id}` })
  assert.equal(JSON.parse(resource.contents[0].text).id, id)
  await client.close()
}

const one = () => new One(info)
const two = () => new Two(info, { versionNegotiation: { mode: 'auto' } })

test('the SDK 1.x signs in, and asks for more only when it signs in anew', async () => {
  const program = new Program('One')
  const make = (authProvider) => ({ client: one(), transport: new OneTransport(address, { authProvider }) })
  const { client } = await lifetime(program, make)
  // It has a refresh token, which it uses instead of asking.
  await assert.rejects(client.callTool({ name: 'mission_create', arguments: plan }), /403 after trying upscoping/)
  assert.equal(program.sentTo, undefined)
  await client.close()
  program.invalidateCredentials('tokens')
  const again = await signsIn(program, make)
  assert.ok(!(await again.client.callTool({ name: 'mission_create', arguments: plan })).isError)
  await again.client.close()
})

test('the client 2.x signs in, and asks for more when it needs more', async () => {
  const program = new Program('Two')
  const make = (authProvider) => ({ client: two(), transport: new TwoTransport(address, { authProvider }) })
  const { client, transport } = await lifetime(program, make)
  await assert.rejects(client.callTool({ name: 'mission_create', arguments: plan }), /Unauthorized/)
  const asked = program.sentTo.searchParams.get('scope').split(' ')
  assert.ok(asked.includes('missions:read') && asked.includes('missions:write'), asked.join())
  await program.allowed(transport)
  assert.ok(!(await client.callTool({ name: 'mission_create', arguments: plan })).isError)
  await client.close()
})

test('both use the tools with a key', async () => {
  await byKey(one(), OneTransport)
  await byKey(two(), TwoTransport)
})
