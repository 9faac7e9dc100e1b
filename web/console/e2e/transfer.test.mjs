// Tier: full
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { build } from 'vite'
import { accessible, open, serve, until } from './harness.mjs'

const built = await build({
  configFile: false,
  logLevel: 'silent',
  build: { write: false, minify: false, lib: { entry: new URL('../src/text/sheet.ts', import.meta.url).pathname, formats: ['es'] } },
})
const { piecesOf, sheetOf } = await import(`data:text/javascript,${encodeURIComponent(built[0].output[0].code)}`)

const service = await serve()

test('a file is cut into its rows', () => {
  const csv = sheetOf('\uFEFFplatform,text\r\n\r\nmastodon,"two\r\nlines, ""quoted"""\r\ntwitter,one\r\n')
  assert.deepEqual(csv, {
    format: 'CSV',
    head: 'platform,text',
    rows: [
      { line: 3, text: 'mastodon,"two\nlines, ""quoted"""' },
      { line: 5, text: 'twitter,one' },
    ],
  })
  const json = sheetOf('{"text":"it\\"s"}\n\n{"text":"b"}')
  assert.deepEqual(json, {
    format: 'NDJSON',
    head: '',
    rows: [
      { line: 1, text: '{"text":"it\\"s"}' },
      { line: 3, text: '{"text":"b"}' },
    ],
  })
  // A quote that was never closed spoils its own row: the service says so.
  assert.deepEqual(sheetOf('text\n"open\nb').rows, [
    { line: 2, text: '"open' },
    { line: 3, text: 'b' },
  ])
})

test('files of spreadsheets are cut as the service does', () => {
  const sheets = JSON.parse(readFileSync(new URL('../src/text/sheets.json', import.meta.url), 'utf8'))
  assert.deepEqual(
    sheets.map(({ name, text }) => ({ name, ...sheetOf(text) })),
    sheets.map(({ name, head, rows }) => ({ name, format: 'CSV', head, rows })),
  )
})

test('pieces fit into a request, and have each row once', () => {
  const rows = Array.from({ length: 777 }, (_, i) => `mastodon,"${'ü"'.repeat((i * 37) % 2000)}${i}"`.replaceAll('ü"', 'ü""'))
  const sheet = sheetOf(['platform,text', ...rows].join('\n'))
  const pieces = piecesOf(sheet)
  assert.deepEqual(
    pieces.flatMap((p) => p.rows.map((r) => r.text)),
    rows,
  )
  for (const p of pieces) {
    assert.ok(Buffer.byteLength(JSON.stringify(p.data)) < 60_000)
    assert.ok(p.data.startsWith('platform,text\n'))
  }
})

test('posts are imported after a check, and exported', async (t) => {
  const mission = await service.mission('Imported', { constraints: { posts_per_day: 1, require_approval: false }, duration_days: 200 })
  await service.written(mission, 1, 'published')
  const page = await open(t, service, `/missions/${mission.id}/posts`)
  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import posts' })
  await accessible(page, 'the import')
  const file = [
    'platform,text,scheduled_at',
    ...Array.from({ length: 120 }, (_, i) => `mastodon,"=Post ${i},\nof a file",`),
    'myspace,Nowhere,',
    'mastodon,,',
  ]
  await dialog.getByLabel('File').setInputFiles({ name: 'posts.csv', mimeType: 'text/csv', buffer: Buffer.from(file.join('\n')) })
  await dialog.getByText('120 of 122 rows can be imported.').waitFor()
  await dialog.getByText('Line 242:').waitFor()
  await dialog.getByText('Line 243:').waitFor()
  await dialog.getByRole('button', { name: 'Import the other 120' }).click()
  await dialog.getByText('120 posts imported.').waitFor()
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const text = readFileSync(await (await saved).path(), 'utf8')
  assert.equal(text.match(/^cnt_/gm).length, (await all(mission)).length)
  assert.ok(text.includes(`"'=Post 7,\nof a file"`), text.slice(0, 500))
})

test('an import is stopped between two pieces, and what was made is said', async (t) => {
  const mission = await service.mission('Stopped', { constraints: { posts_per_day: 1, require_approval: false }, duration_days: 300 })
  const page = await open(t, service, `/missions/${mission.id}/posts`)
  let sent = 0
  let letGo
  const stopped = new Promise((done) => (letGo = done))
  await page.route('**/graphql', async (route) => {
    const body = route.request().postDataJSON()
    if (body?.operationName === 'ImportMutation' && !body.variables.input.dryRun && ++sent === 1) {
      const response = await route.fetch()
      await stopped
      return route.fulfill({ response })
    }
    return route.continue()
  })
  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import posts' })
  const rows = Array.from({ length: 250 }, (_, i) => JSON.stringify({ platform: 'mastodon', text: `Post ${i} of a file` }))
  await dialog
    .getByLabel('File')
    .setInputFiles({ name: 'posts.ndjson', mimeType: 'application/x-ndjson', buffer: Buffer.from(rows.join('\n')) })
  await dialog.getByRole('button', { name: 'Import 250 posts' }).click()
  await until('the first piece', () => sent === 1)
  await dialog.getByRole('button', { name: 'Stop' }).click()
  letGo()
  await dialog.getByText('Stopped. 100 posts imported.').waitFor()
  assert.equal(sent, 1)
})

// all returns all of a mission's posts.
async function all(mission) {
  const posts = []
  for (let after = ''; ;) {
    const page = await service.rest('GET', `/content?mission_id=${mission.id}&limit=100${after && `&starting_after=${after}`}`)
    posts.push(...page.data)
    if (!page.has_more) return posts
    after = page.data.at(-1).id
  }
}
