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

const builtNumbers = await build({
  configFile: false,
  logLevel: 'silent',
  build: { write: false, minify: false, lib: { entry: new URL('../src/text/number.ts', import.meta.url).pathname, formats: ['es'] } },
})
const { numberOf } = await import(`data:text/javascript,${encodeURIComponent(builtNumbers[0].output[0].code)}`)

test('numbers are read as they are written, or not at all', () => {
  for (const [text, group, decimal, want] of [
    ['1500', ',', '.', 1500], ['1,500', ',', '.', 1500], ['1,234,567.25', ',', '.', 1234567.25], ['12,34,567', ',', '.', 1234567],
    ['1.5', ',', '.', 1.5], ['1,5', ',', '.', NaN], ['1,50', ',', '.', NaN], ['1.500,5', ',', '.', NaN], ['', ',', '.', NaN], ['-3', ',', '.', NaN],
    ['1.500', '.', ',', 1500], ['1.500,5', '.', ',', 1500.5], ['1,5', '.', ',', 1.5], ['1.5', '.', ',', NaN], ['1,500', '.', ',', 1.5],
    ['1\u202f500,5', '\u202f', ',', 1500.5], ['1 500', '\u202f', ',', 1500], ['1.5', '\u202f', ',', 1.5], ['1’500.5', '’', '.', 1500.5],
    ['1e3', ',', '.', NaN], ['0x10', ',', '.', NaN], ['10 likes', ',', '.', NaN], ['١٢', ',', '.', NaN],
  ]) {
    assert.deepEqual([text, group, numberOf(text, group, decimal)], [text, group, want])
  }
})
