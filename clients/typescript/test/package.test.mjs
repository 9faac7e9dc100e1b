// The package as it is packed: what a bundler takes of it, in Chromium, its README and example.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { chromium } from 'playwright-core'
import { firstExample, listen, patience, serve } from './service.mjs'

const run = promisify(execFile)
const consumer = fileURLToPath(new URL('..', import.meta.url))
const installed = new URL('../node_modules/@missiond/client/', import.meta.url)

// bundle returns what a bundler makes of a module.
async function bundle(contents) {
  const stdin = { contents, resolveDir: consumer }
  const { outputFiles } = await build({ stdin, bundle: true, minify: true, format: 'esm', write: false, logLevel: 'silent' })
  return outputFiles[0].text
}

test('bundles have what is imported only', async () => {
  const verifier = await bundle(`import { verify } from '@missiond/client'; console.log(verify)`)
  assert.ok(verifier.includes('webhook-signature'))
  assert.ok(verifier.length < 2500, `the verifier takes ${verifier.length} bytes`)
  for (const other of ['/v1/', 'graphql', 'Authorization']) assert.ok(!verifier.includes(other), `the verifier brings ${other}`)
  const resource = await bundle(`import { missions } from '@missiond/client'; console.log(missions.list)`)
  assert.deepEqual(resource.match(/\/v1\/(?!missions)\w+/g), null)
  assert.ok(resource.length < 7000, `one resource takes ${resource.length} bytes`)
  const lists = await bundle(`import { list } from '@missiond/client/missions'; console.log(list)`)
  assert.deepEqual([...new Set(lists.match(/\/v1\/\w+[^"'\`]*/g))], ['/v1/missions'])
  assert.ok(lists.length < 6000, `one operation takes ${lists.length} bytes`)
  const nothing = await bundle(`import '@missiond/client'`)
  assert.equal(nothing.trim(), '')
})

test('the package', () => {
  const { dependencies, sideEffects } = JSON.parse(readFileSync(new URL('package.json', installed), 'utf8'))
  assert.equal(dependencies, undefined)
  assert.equal(sideEffects, false)
  assert.deepEqual(readdirSync(installed).sort(), ['README.md', 'dist', 'package.json'])
})

test('in a browser', async (t) => {
  const service = await serve(1440)
  const script = await bundle(`
    import { Client, content, follow, missions, paginate, MissiondError, verify } from '@missiond/client'
    window.drive = async (url, key) => {
      let subscribed
      const subscription = new Promise((done) => (subscribed = done))
      const client = new Client({ url, key })
      const follower = new Client({ url, key, fetch: (address, options) => {
        if (new Headers(options.headers).get('accept') === 'text/event-stream') subscribed()
        return fetch(address, options)
      } })
      const mission = await missions.create(client, { body: {
        name: 'In a browser', description: 'Linseed oil keeps the wood warm. Legs are joined with wedges.', objectives: ['Test the client'], platforms: ['mastodon'], duration_days: 3,
        constraints: { posts_per_day: 2, require_approval: false },
      } })
      const listed = []
      for await (const each of paginate(client, missions.list, { limit: 1 })) listed.push(each.id)
      const following = follow(follower, { missionId: mission.id })
      const first = following.next()
      await subscription
      await missions.start(client, { id: mission.id })
      const types = [(await first).value.type]
      while (!types.includes('content.published')) types.push((await following.next()).value.type)
      await following.return()
      const field = await missions.create(client, { body: { name: '' } }).catch((e) => e instanceof MissiondError && e.field)
      const key2 = await crypto.subtle.importKey('raw', new TextEncoder().encode('a secret of one’s own'), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
      const mac = await crypto.subtle.sign('HMAC', key2, new TextEncoder().encode('evt_1.100.{"id":"evt_1"}'))
      const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': '100', 'webhook-signature': 'v1,' + btoa(String.fromCharCode(...new Uint8Array(mac))) }
      const verified = await verify('{"id":"evt_1"}', headers, 'a secret of one’s own', { now: 100_000 })
      return { mission: mission.id, listed, types, field, verified }
    }`)
  const page = await listen((request, response) => {
    if (request.url === '/script.js') return response.writeHead(200, { 'content-type': 'text/javascript' }).end(script)
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><script type=module src=/script.js></script>')
  })
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] })
  t.after(() => browser.close())
  const tab = await browser.newPage()
  await tab.goto(page)
  await tab.waitForFunction(() => 'drive' in window)
  const got = await tab.evaluate(({ url, key }) => window.drive(url, key), { url: service.url, key: service.key })
  assert.ok(got.listed.includes(got.mission))
  assert.equal(got.types[0], 'mission.started')
  assert.ok(got.field)
  assert.deepEqual(got.verified, { id: 'evt_1' })
})

test('the README begins with ten lines that work', async () => {
  const service = await serve()
  const { language, text } = firstExample(new URL('README.md', installed))
  assert.equal(language, 'js')
  assert.ok(text.trim().split('\n').length <= 10)
  writeFileSync(`${consumer}/readme.mjs`, text)
  const { stdout } = await run(process.execPath, ['readme.mjs'], { cwd: consumer, env: service.env, timeout: patience })
  assert.match(stdout, /^made (msn_\w+)\n(?:msn_\w+ .*\n)*\1 Autumn launch\n(?:msn_\w+ .*\n)*\d+ posts wait for review\n$/)
})

test('the example publishes a post', async () => {
  const service = await serve(1440)
  const { stdout } = await run(process.execPath, ['examples/publish.js'], { cwd: consumer, env: service.env, timeout: 4 * patience })
  assert.match(stdout, /^made msn_\w+\n(?:approved cnt_\w+\n)+published cnt_\w+: \S/)
})
