import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { gzipSync } from 'node:zlib'
import { open, serve } from './harness.mjs'

const service = await serve()
const folder = new URL('../dist/', import.meta.url)
const size = (file) => gzipSync(readFileSync(new URL(file, folder)), { level: 9 }).length
const kB = (n) => `${(n / 1000).toFixed(1)} kB`

test('what is sent stays small', () => {
  const files = readdirSync(new URL('assets/', folder))
    .filter((f) => /\.(js|css)$/.test(f))
    .map((f) => `assets/${f}`)
  const first = [
    ...readFileSync(new URL('index.html', folder), 'utf8').matchAll(/(?:src|href)="\/console\/(assets\/[^"]+\.(?:js|css))"/g),
  ].map((m) => m[1])
  assert.ok(first.length > 1)
  const sum = (list) => list.reduce((n, f) => n + size(f), 0)
  assert.ok(sum(first) <= 175_000, `the first load is ${kB(sum(first))}`)
  for (const f of files.filter((f) => !first.includes(f) && !f.includes('LineChart')))
    assert.ok(size(f) <= 15_000, `${f} is ${kB(size(f))}`)
  assert.ok(sum(files) <= 390_000, `all is ${kB(sum(files))}`)
})

test('the first page doesn’t jump, and comes soon', async (t) => {
  await service.written(await service.mission('Painted'), 4)
  const page = await open(t, service, '/')
  await page.goto(`${service.url}/console/inbox`)
  await page.getByRole('article').first().waitFor()
  const seen = await page.evaluate(
    () =>
      new Promise((done) => {
        let shift = 0
        new PerformanceObserver((list) => {
          for (const e of list.getEntries()) if (!e.hadRecentInput) shift += e.value
        }).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => done({ shift, paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity }), 200)
      }),
  )
  assert.ok(seen.shift <= 0.02, `what is there moves by ${seen.shift}`)
  t.diagnostic(`first paint ${Math.round(seen.paint)} ms`)
})
