import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { build } from 'vite'

// The rules are TypeScript: Vite makes a module of them in memory.
const made = async (entry) => {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, minify: false, lib: { entry: new URL(`../src/text/${entry}`, import.meta.url).pathname, formats: ['es'] } },
  })
  return import(`data:text/javascript,${encodeURIComponent(built[0].output[0].code)}`)
}
const { length } = await made('length.ts')
const { entities, pieces } = await made('entities.ts')

const vectors = JSON.parse(readFileSync(new URL('../src/text/vectors.json', import.meta.url), 'utf8')).flatMap(({ cases, ...group }) =>
  cases.map((v) => ({ ...group, ...v })),
)

test('texts are read as the service reads them', () => {
  const wrong = []
  for (const v of vectors) {
    const found = entities(v.platform, v.text)
    const got = {
      length: length(v, v.text),
      links: found.filter((e) => e.kind === 'link').map((e) => v.text.slice(e.start, e.end)),
      mentions: found.filter((e) => e.kind === 'mention').map((e) => e.name),
      tags: found.filter((e) => e.kind === 'tag').map((e) => e.name),
    }
    for (const [what, value] of Object.entries(got)) {
      if (v[what] !== undefined && JSON.stringify(v[what]) !== JSON.stringify(value))
        wrong.push({ platform: v.platform, text: v.text, source: v.source, what, want: v[what], got: value })
    }
    assert.equal(
      pieces(v.platform, v.text)
        .map((p) => p.text)
        .join(''),
      v.text,
    )
  }
  assert.ok(vectors.length > 300)
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
    ['1500', ',', '.', 1500],
    ['1,500', ',', '.', 1500],
    ['1,234,567.25', ',', '.', 1234567.25],
    ['12,34,567', ',', '.', 1234567],
    ['1.5', ',', '.', 1.5],
    ['1,5', ',', '.', NaN],
    ['1,50', ',', '.', NaN],
    ['1.500,5', ',', '.', NaN],
    ['', ',', '.', NaN],
    ['-3', ',', '.', NaN],
    ['1.500', '.', ',', 1500],
    ['1.500,5', '.', ',', 1500.5],
    ['1,5', '.', ',', 1.5],
    ['1.5', '.', ',', NaN],
    ['1,500', '.', ',', 1.5],
    ['1\u202f500,5', '\u202f', ',', 1500.5],
    ['1 500', '\u202f', ',', 1500],
    ['1.5', '\u202f', ',', 1.5],
    ['1’500.5', '’', '.', 1500.5],
    ['1e3', ',', '.', NaN],
    ['0x10', ',', '.', NaN],
    ['10 likes', ',', '.', NaN],
    ['١٢', ',', '.', NaN],
  ]) {
    assert.deepEqual([text, group, numberOf(text, group, decimal)], [text, group, want])
  }
})
