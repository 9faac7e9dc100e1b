// A service of its own for each test file, and pages that fail a test on any error.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import AxeBuilder from '@axe-core/playwright'
import { chromium } from 'playwright-core'

const root = new URL('..', import.meta.url).pathname
const binary = process.env.MISSIOND_BINARY ?? path.join(root, '../../bin/missiond')

const freePort = () =>
  new Promise((done) => {
    const s = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = s.address()
      s.close(() => done(port))
    })
  })

// until waits for a condition, for fifteen seconds.
export async function until(what, condition) {
  const deadline = Date.now() + 15_000
  for (;;) {
    const value = await condition()
    if (value) return value
    assert.ok(Date.now() < deadline, `waited in vain: ${what}`)
    await new Promise((done) => setTimeout(done, 50))
  }
}

// Service is a development run of missiond, whose clock is sixty times as fast.
class Service {
  folder = mkdtempSync(path.join(tmpdir(), 'console-'))

  async start() {
    this.port ??= await freePort()
    this.process = spawn(
      binary,
      ['dev', '--addr', `127.0.0.1:${this.port}`, '--data-dir', this.folder, '--clock-speed', '60', '--log-level', 'error'],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    )
    const exited = new Promise((_, fail) => this.process.once('exit', (code) => fail(new Error(`missiond ended with ${code}`))))
    exited.catch(() => {})
    const ready = until('the service', () => fetch(`http://127.0.0.1:${this.port}/readyz`).then((r) => r.ok, () => false))
    await Promise.race([ready, exited])
    this.key ??= /MISSIOND_API_KEY=(\S+)/.exec(readFileSync(path.join(this.folder, 'dev.env'), 'utf8'))[1]
    this.url = `http://127.0.0.1:${this.port}`
  }

  async stop() {
    if (this.process.exitCode !== null) return
    this.process.removeAllListeners('exit')
    const gone = new Promise((done) => this.process.once('exit', done))
    this.process.kill('SIGTERM')
    await gone
  }

  // rest calls the REST API, as a program of the tenant would.
  async rest(method, route, body) {
    const response = await fetch(`http://127.0.0.1:${this.port}/v1${route}`, {
      method,
      headers: { Authorization: `Bearer ${this.key}`, 'Content-Type': 'application/json' },
      body: body && JSON.stringify(body),
    })
    const text = await response.text()
    assert.ok(response.ok, `${method} ${route}: ${response.status} ${text}`)
    return text ? JSON.parse(text) : null
  }

  // mission creates a mission that is running.
  mission(name, more = {}) {
    const { constraints, ...rest } = more
    return this.rest('POST', '/missions', {
      name,
      objectives: ['Show what the console does'],
      platforms: ['mastodon', 'twitter'],
      constraints: { posts_per_day: 4, require_approval: true, ...constraints },
      duration_days: 10,
      start_immediately: true,
      ...rest,
    })
  }

  async posts(query) {
    return (await this.rest('GET', `/content?${query}`)).data
  }

  // written waits until a mission has a number of posts in a state.
  written(mission, n, status = 'pending_review') {
    return until(`${n} posts that are ${status}`, async () => {
      const posts = await this.posts(`mission_id=${mission.id}&status=${status}`)
      return posts.length >= n && posts
    })
  }
}

// serve starts a service, for all tests of a file.
export async function serve() {
  const service = new Service()
  after(async () => {
    await service.stop()
    rmSync(service.folder, { recursive: true, force: true })
  })
  await service.start()
  return service
}

let browser
after(() => browser?.close())

// open signs in and opens a page; as is the sign-in's form, or null for nobody. Its test
// fails if the console logs an error, or the browser refuses something by policy.
export async function open(t, service, where, { mode = 'light', width = 1440, expected = [], as = { as: 'demo' } } = {}) {
  browser ??= await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
  const context = await browser.newContext({ viewport: { width, height: width < 500 ? 844 : 900 }, colorScheme: mode, locale: 'en-GB', timezoneId: 'Europe/Berlin', reducedMotion: 'reduce' })
  context.setDefaultTimeout(10_000)
  if (as) {
    const response = await context.request.post(`${service.url}/console/login`, { form: as, headers: { Origin: service.url }, maxRedirects: 0 })
    assert.equal(response.status(), 303, await response.text())
  }
  const page = await context.newPage()
  const errors = []
  page.on('console', (m) => m.type() === 'error' && errors.push(m.text()))
  page.on('pageerror', (e) => errors.push(String(e.stack ?? e)))
  await page.addInitScript(() => addEventListener('securitypolicyviolation', (e) => console.error(`refused by policy: ${e.violatedDirective} ${e.blockedURI} ${e.sample}`)))
  t.after(async () => {
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${t.name.replace(/\W+/g, '-')}.png` }).catch(() => {})
    await context.close()
    const unexpected = errors.filter((e) => !expected.some((x) => x.test(e)))
    assert.deepEqual(unexpected, [], 'the browser logged errors')
  })
  await page.goto(`${service.url}/console${where}`)
  await settled(page)
  return page
}

// settled waits until a page is drawn and listens to keys.
export async function settled(page) {
  await page.locator('h1').first().waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))
}

// accessible fails if axe finds something; only are the rules to look at.
export async function accessible(page, what, only) {
  const axe = new AxeBuilder({ page })
  const { violations } = await (only ? axe.withRules(only) : axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])).analyze()
  assert.deepEqual(
    violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.map((n) => n.html.slice(0, 200)).join('\n')}`),
    [],
    `${what} has barriers`,
  )
}
