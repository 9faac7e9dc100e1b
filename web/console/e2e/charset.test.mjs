// Tier: full
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { build } from 'vite'
import { open, serve } from './harness.mjs'

const built = await build({
  configFile: false,
  logLevel: 'silent',
  build: { write: false, minify: false, lib: { entry: new URL('../src/text/charset.ts', import.meta.url).pathname, formats: ['es'] } },
})

const service = await serve()

// Browsers decode by the Encoding Standard; not every version of Node does.
test('a file is read in its own character set', async (t) => {
  const cases = JSON.parse(readFileSync(new URL('../src/text/charsets.json', import.meta.url), 'utf8'))
  const page = await (await open(t, service, '/')).context().newPage()
  const got = await page.evaluate(
    async ([module, files]) => {
      const { textOf } = await import(module)
      return files.map((file) => {
        try {
          return textOf(new Uint8Array(file))
        } catch {
          return null
        }
      })
    },
    [`data:text/javascript,${encodeURIComponent(built[0].output[0].code)}`, cases.map(({ bytes }) => [...Buffer.from(bytes, 'hex')])],
  )
  assert.deepEqual(
    got,
    cases.map(({ text, charset }) => (text === null ? null : { text, charset })),
  )
})

test('an import says that it guessed the character set', async (t) => {
  const mission = await service.mission('Spreadsheets', { constraints: { posts_per_day: 1, require_approval: false }, duration_days: 200 })
  const page = await open(t, service, `/missions/${mission.id}/posts`)
  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import posts' })
  const choose = (text, charset) =>
    dialog.getByLabel('File').setInputFiles({ name: 'posts.csv', mimeType: 'text/csv', buffer: Buffer.from(text, charset) })
  await choose('platform,text\nmastodon,Zu Gast bei Müller\n', 'utf8')
  await dialog.getByText('1 of 1 row can be imported.').waitFor()
  assert.equal(await dialog.getByText('Windows-1252').count(), 0)
  await dialog.getByRole('button', { name: 'Another file' }).click()
  await choose('platform,text\nmastodon,Zu Gast bei Müller\n', 'latin1')
  await dialog.getByText('It was read as Windows-1252: mastodon,Zu Gast bei Müller').waitFor()
  await dialog.getByRole('button', { name: 'Import 1 post' }).click()
  await dialog.getByText('1 post imported.').waitFor()
  const posts = await service.rest('GET', `/content?mission_id=${mission.id}&limit=100`)
  assert.ok(posts.data.some((p) => p.text === 'Zu Gast bei Müller'))
})
