// A development run of missiond, to look at and to test.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium } from 'playwright-core'

const root = new URL('..', import.meta.url).pathname
const binary = process.env.MISSIOND_BINARY ?? path.join(root, '../../bin/missiond')

// launchBrowser starts Chromium.
export const launchBrowser = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((file) => existsSync(file)),
    args: ['--no-sandbox'],
  })

// patience is how long is waited for what has to come, in milliseconds: longer where the machine is busy.
export const patience = 30_000 * Number(process.env.MISSIOND_TEST_PATIENCE ?? 1)

// until waits for a condition, for as long as patience lasts.
export async function until(what, condition) {
  const deadline = Date.now() + patience
  for (;;) {
    const value = await condition()
    if (value) return value
    assert.ok(Date.now() < deadline, `waited in vain: ${what}`)
    await new Promise((done) => setTimeout(done, 50))
  }
}

// png is a small picture.
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAGCAIAAABxZ0isAAAAEUlEQVR42mM4oaCAFTEMpAQAoWgxgfG47Z8AAAAASUVORK5CYII=',
  'base64',
)

// description has enough sentences for the built-in writer.
const description =
  'We turn oak and ash into chairs in a hall by the river. Each chair is sanded three times with ever finer paper. ' +
  'Linseed oil keeps the wood warm to the touch. Our oldest lathe has run since 1954 without a new motor. ' +
  'On Saturdays visitors may watch us from the gallery. Two apprentices begin every autumn and stay for three years. ' +
  'Shavings from the floor heat the whole hall in winter. Legs are joined with wedges, never with screws. ' +
  'A rocking chair takes Ines eleven days from plank to polish. Broken seats come back to us even after decades. ' +
  'Wool for the cushions is spun two villages upstream. Maps of all past owners hang beside the door.'

// Service is a development run of missiond.
export class Service {
  url // its address, once it has started
  key // the demo tenant's
  folder = mkdtempSync(path.join(tmpdir(), 'console-'))

  // start starts it with a clock that is so many times as fast as real time.
  async start(speed = 60) {
    this.process = spawn(
      binary,
      [
        'dev',
        '--addr',
        this.url ? new URL(this.url).host : '127.0.0.1:0',
        '--data-dir',
        this.folder,
        '--clock-speed',
        String(speed),
        '--log-level',
        'error',
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    )
    const exited = new Promise((_, fail) => this.process.once('exit', (code) => fail(new Error(`missiond ended with ${code}`))))
    exited.catch(() => {})
    await Promise.race([this.ready(), exited])
  }

  // ready waits until it answers. The first start chooses its address and key.
  async ready() {
    const file = path.join(this.folder, 'dev.env')
    const env = await until(
      'its address and key',
      () => existsSync(file) && /MISSIOND_URL=(\S+)\nMISSIOND_API_KEY=(\S+)\n/.exec(readFileSync(file, 'utf8')),
    )
    this.url = env[1]
    this.key = env[2]
    await until('the service', () =>
      fetch(`${this.url}/readyz`).then(
        (r) => r.ok,
        () => false,
      ),
    )
  }

  // remove stops it and deletes its data.
  async remove() {
    await this.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }

  async stop() {
    if (this.process?.exitCode !== null) return // it wasn't started, or has ended
    this.process.removeAllListeners('exit')
    const gone = new Promise((done) => this.process.once('exit', done))
    this.process.kill('SIGTERM')
    await gone
  }

  // rest calls the REST API, as a program of the tenant would.
  async rest(method, route, body) {
    const response = await fetch(`${this.url}/v1${route}`, {
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
      description,
      objectives: ['Show what the console does'],
      platforms: ['mastodon', 'twitter'],
      constraints: { posts_per_day: 4, require_approval: true, ...constraints },
      duration_days: 10,
      start_immediately: true,
      ...rest,
    })
  }

  // picture uploads a picture, and returns it once posts can have it.
  async picture(altText) {
    const form = new FormData()
    form.set('alt_text', altText)
    form.set('file', new Blob([png], { type: 'image/png' }), 'door.png')
    const response = await fetch(`${this.url}/v1/media`, { method: 'POST', headers: { Authorization: `Bearer ${this.key}` }, body: form })
    const { id } = await response.json()
    return until('the picture', async () => {
      const file = await this.rest('GET', `/media/${id}`)
      return file.status === 'ready' && file
    })
  }

  // later returns constraints of a mission none of whose posts is due within three hours:
  // one that is due is published as soon as it is approved, and can't be taken back.
  async later() {
    const now = await this.now()
    const time = (hours) => `${new Date(now + hours * 3_600_000).toISOString().slice(11, 14)}00`
    return { constraints: { posting_times: [4, 6, 8, 10].map(time).sort(), timezone: 'UTC' } }
  }

  // now returns the service's time.
  async now() {
    const response = await fetch(`${this.url}/graphql`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${this.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: '{ clock { now } }' }),
    })
    return Date.parse((await response.json()).data.clock.now)
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

// settled waits until a page is drawn and listens to keys.
export async function settled(page) {
  await page.locator('h1, .review h2').filter({ visible: true }).first().waitFor() // on a phone an open post takes its list's place
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))
}
