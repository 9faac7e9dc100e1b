// A Mastodon server of two people, for tests. What a real one wouldn't take it refuses.
import { createHash, randomBytes } from 'node:crypto'
import http from 'node:http'

const people = {
  ada: { id: '109348872', username: 'ada', display_name: 'Ada L.' },
  grace: { id: '109348873', username: 'grace', display_name: 'Grace H.' },
}
const secret = () => randomBytes(24).toString('base64url')
const escaped = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`)

// Refusal is an error as the API returns it.
class Refusal extends Error {
  constructor(status, fields) {
    super(JSON.stringify(fields))
    Object.assign(this, { status, fields })
  }
}

// Mastodon is a server; its url is there once start has returned.
export class Mastodon {
  statuses = []
  // refused are the requests that the server didn't take.
  refused = []
  #apps = new Map()
  #codes = new Map()
  #tokens = new Map()
  #keys = new Map()

  async start() {
    this.server = http.createServer((request, response) => this.#serve(request, response))
    await new Promise((done) => this.server.listen(0, '127.0.0.1', done))
    this.url = `http://127.0.0.1:${this.server.address().port}`
    return this
  }

  stop() {
    this.server.close()
    this.server.closeAllConnections()
  }

  // silent has the server end each connection about statuses without an answer.
  silent = false

  // forbidden is what no status may have.
  forbidden = null

  // revoke ends all tokens, as their owners can.
  revoke() {
    this.#tokens.clear()
  }

  async #serve(request, response) {
    let body = ''
    for await (const data of request) body += data
    const url = new URL(request.url, this.url)
    const route = `${request.method} ${url.pathname}`
    if (this.silent && /statuses/.test(route)) return request.socket.destroy()
    try {
      if (request.method === 'POST' && request.headers['content-type'] !== 'application/x-www-form-urlencoded')
        throw new Refusal(415, { error: 'The server takes forms only' })
      const { status = 200, location, html, json } = this.#respond(route, url.searchParams, new URLSearchParams(body), request)
      if (location) response.writeHead(302, { Location: location }).end()
      else
        response
          .writeHead(status, { 'Content-Type': html ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8' })
          .end(html ?? JSON.stringify(json))
    } catch (e) {
      if (!(e instanceof Refusal)) throw e
      this.refused.push(`${route}: ${e.message}`)
      response.writeHead(e.status, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify(e.fields))
    }
  }

  #respond(route, query, form, request) {
    switch (route) {
      case 'GET /api/v2/instance':
        return {
          json: { domain: new URL(this.url).host, configuration: { statuses: { max_characters: 500, characters_reserved_per_url: 23 } } },
        }
      case 'POST /api/v1/apps':
        return this.#register(form)
      case 'GET /oauth/authorize':
        return this.#ask(query)
      case 'POST /oauth/authorize':
        return this.#decide(query, form)
      case 'POST /oauth/token':
        return this.#exchange(form)
      case 'GET /api/v1/accounts/verify_credentials':
        return this.#verify(request)
      case 'POST /api/v1/statuses':
        return this.#publish(form, request)
      case 'GET /api/v1/statuses':
        this.#person(request, 'read:statuses')
        return { json: this.statuses.filter((s) => query.getAll('id[]').includes(s.id)) }
    }
    if (/^GET \/api\/v1\/accounts\/\d+\/statuses$/.test(route)) {
      const { id } = this.#person(request, 'read:statuses')
      return { json: this.statuses.filter((s) => s.account.id === id).toReversed() }
    }
    const [, of] = /^GET \/api\/v1\/statuses\/(\w+)\/context$/.exec(route) ?? []
    if (of) {
      this.#person(request, 'read:statuses')
      return this.statuses.some((s) => s.id === of)
        ? { json: { ancestors: [], descendants: [] } }
        : { status: 404, json: { error: 'Record not found' } }
    }
    throw new Refusal(404, { error: 'The page you are looking for isn’t here.' })
  }

  #register(form) {
    if (!form.get('client_name') || !URL.canParse(form.get('redirect_uris')))
      throw new Refusal(422, { error: 'Validation failed: Redirect URI must be an absolute URI.' })
    const app = { id: secret(), secret: secret(), redirect: form.get('redirect_uris'), scopes: form.get('scopes').split(' ') }
    this.#apps.set(app.id, app)
    return {
      json: {
        id: '563419',
        name: form.get('client_name'),
        client_id: app.id,
        client_secret: app.secret,
        redirect_uri: app.redirect,
        scopes: app.scopes,
      },
    }
  }

  // #asked returns the application that a consent is asked for, and the scopes.
  #asked(query) {
    const app = this.#apps.get(query.get('client_id'))
    const scopes = (query.get('scope') ?? '').split(' ')
    const right =
      app?.redirect === query.get('redirect_uri') && query.get('response_type') === 'code' && scopes.every((s) => app.scopes.includes(s))
    if (!right || query.get('code_challenge_method') !== 'S256' || query.get('code_challenge')?.length !== 43 || !query.get('state'))
      throw new Refusal(400, { error: 'invalid_request' })
    return { app, scopes }
  }

  // #ask is the page where a person consents.
  #ask(query) {
    const { scopes } = this.#asked(query)
    const choices = Object.keys(people)
      .map((name) => `<option>${name}</option>`)
      .join('')
    return {
      html: `<!doctype html><html lang="en"><title>Authorization required</title><link rel="icon" href="data:,">
<h1>Authorization required</h1><p>missiond would like ${escaped(scopes.join(', '))}</p>
<form method="post"><label>Sign in as <select name="as">${choices}</select></label><button name="decision" value="yes">Authorize</button><button name="decision" value="no">Deny</button></form></html>`,
    }
  }

  #decide(query, form) {
    const { app, scopes } = this.#asked(query)
    const back = new URL(app.redirect)
    back.searchParams.set('state', query.get('state'))
    if (form.get('decision') === 'yes') {
      const code = secret()
      this.#codes.set(code, { app, scopes, challenge: query.get('code_challenge'), person: people[form.get('as')] })
      back.searchParams.set('code', code)
    } else {
      back.searchParams.set('error', 'access_denied')
      back.searchParams.set('error_description', 'The resource owner or authorization server denied the request.')
    }
    return { location: back.href }
  }

  #exchange(form) {
    const app = this.#apps.get(form.get('client_id'))
    const consent = this.#codes.get(form.get('code'))
    this.#codes.delete(form.get('code'))
    if (!app || app.secret !== form.get('client_secret')) throw new Refusal(401, { error: 'invalid_client' })
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (
      form.get('grant_type') !== 'authorization_code' ||
      consent?.app !== app ||
      app.redirect !== form.get('redirect_uri') ||
      consent.challenge !== challenge
    )
      throw new Refusal(400, { error: 'invalid_grant' })
    const token = secret()
    this.#tokens.set(token, consent)
    return {
      json: { access_token: token, token_type: 'Bearer', scope: consent.scopes.join(' '), created_at: Math.floor(Date.now() / 1000) },
    }
  }

  // #person returns whose token a request has, if it is for a scope.
  #person(request, scope) {
    const grant = this.#tokens.get(/^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1])
    if (!grant) throw new Refusal(401, { error: 'The access token is invalid' })
    if (!grant.scopes.includes(scope)) throw new Refusal(403, { error: 'This action is outside the authorized scopes' })
    return grant.person
  }

  #verify(request) {
    const person = this.#person(request, 'read:accounts')
    return { json: { ...person, acct: person.username, url: `${this.url}/@${person.username}`, avatar: '', followers_count: 1204 } }
  }

  #publish(form, request) {
    const person = this.#person(request, 'write:statuses')
    const [key, text] = [request.headers['idempotency-key'], form.get('status')?.trim()]
    if (!text || [...text].length > 500 || form.has('visibility')) throw new Refusal(422, { error: 'Validation failed' })
    if (this.forbidden?.test(text))
      throw new Refusal(422, { error: 'Validation failed: Text contains a word that this server does not allow' })
    if (!this.#keys.has(key)) {
      const id = String(112_000_000_000 + this.statuses.length)
      const status = {
        id,
        created_at: new Date().toISOString(),
        in_reply_to_id: form.get('in_reply_to_id'),
        content: `<p>${escaped(text)}</p>`,
        url: `${this.url}/@${person.username}/${id}`,
        account: { id: person.id, acct: person.username },
        replies_count: 0,
        reblogs_count: 0,
        favourites_count: 0,
        quotes_count: 0,
      }
      this.statuses.push(status)
      if (key) this.#keys.set(key, status)
      return { json: status }
    }
    return { json: this.#keys.get(key) }
  }
}
