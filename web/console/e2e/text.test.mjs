import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { build } from 'vite'

// The counter is TypeScript: Vite makes a module of it in memory.
const built = await build({
  configFile: false,
  logLevel: 'silent',
  build: { write: false, minify: false, lib: { entry: new URL('../src/text/length.ts', import.meta.url).pathname, formats: ['es'] } },
})
const { length } = await import(`data:text/javascript,${encodeURIComponent(built[0].output[0].code)}`)

const vectors = JSON.parse(readFileSync(new URL('../src/text/vectors.json', import.meta.url), 'utf8'))

test('lengths are the service’s', () => {
  const wrong = vectors.filter((v) => length(v, v.text) !== v.length).map((v) => ({ ...v, got: length(v, v.text) }))
  assert.ok(vectors.length > 100)
  assert.deepEqual(wrong, [])
})
