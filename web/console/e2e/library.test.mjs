// Tier: full
import assert from 'node:assert/strict'
import test from 'node:test'
import { accessible, open, serve, until } from './harness.mjs'
import { png } from './service.mjs'

const service = await serve(1)

const picture = (name) => ({ name, mimeType: 'image/png', buffer: png })
const tiles = (page) => page.getByRole('list', { name: 'Files' }).getByRole('button')
const media = async () => (await service.rest('GET', '/media')).data

// give drags files over an element, drops or pastes them there.
const give = (page, selector, type, files) =>
  page.evaluate(
    ({ selector, type, files }) => {
      const transfer = new DataTransfer()
      for (const f of files) transfer.items.add(new File([Uint8Array.from(f.bytes)], f.name, { type: f.mimeType }))
      const about = { bubbles: true, cancelable: true }
      const event =
        type === 'paste'
          ? new ClipboardEvent(type, { ...about, clipboardData: transfer })
          : new DragEvent(type, { ...about, dataTransfer: transfer })
      document.querySelector(selector).dispatchEvent(event)
    },
    { selector, type, files: files.map(({ buffer, ...f }) => ({ ...f, bytes: [...buffer] })) },
  )

// choose gives files to the button, by the keyboard.
async function choose(page, files) {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Upload files' }).focus()
  await page.keyboard.press('Enter')
  await (await chooser).setFiles(files)
}

const ready = (page, n) => until(`${n} files that are ready`, async () => (await tiles(page).filter({ hasText: 'Picture' }).count()) === n)

test('files are uploaded by the button, by dropping and by pasting', async (t) => {
  const page = await open(t, service, '/missions')
  await page.keyboard.press('g')
  await page.keyboard.press('l')
  await page.getByText('No files yet').waitFor()
  await choose(page, [picture('one.png'), picture('two.png')])
  await ready(page, 2)
  await give(page, '.library', 'dragover', [picture('three.png')])
  await page.locator('.library.over').waitFor()
  // More than are sent at once.
  await give(
    page,
    '.library',
    'drop',
    ['3', '4', '5', '6', '7', '8'].map((n) => picture(`${n}.png`)),
  )
  await ready(page, 8)
  assert.equal(await page.locator('.library.over').count(), 0)
  await give(page, 'body', 'paste', [picture('pasted.png')])
  await ready(page, 9)
  assert.equal(await page.getByRole('list', { name: 'Uploads' }).count(), 0)
  assert.equal((await media()).length, 9)
  await until('the thumbnails', () =>
    page.evaluate(() => [...document.querySelectorAll('.thumb img')].every((i) => i.complete && i.naturalWidth > 0)),
  )
})

test('what can’t be uploaded is said at its file, and what fails is sent again', async (t) => {
  const page = await open(t, service, '/library', { expected: [/status of 413/, /ERR_FAILED/] })
  const before = (await media()).length
  await choose(page, [
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Hello') },
    { name: 'empty.png', mimeType: 'image/png', buffer: Buffer.alloc(0) },
  ])
  const list = page.getByRole('list', { name: 'Uploads' })
  await list
    .getByText('can’t be uploaded', { exact: false })
    .or(list.getByText("can't be uploaded", { exact: false }))
    .waitFor()
  await list.getByText('The file is empty.').waitFor()
  await accessible(page, 'uploads that failed')
  await page.getByRole('button', { name: 'Dismiss notes.txt' }).click()
  await page.getByRole('button', { name: 'Dismiss empty.png' }).click()
  await list.waitFor({ state: 'detached' })

  let sent = 0
  await page.route('**/v1/media/uploads/**', (route) => (sent++ === 0 ? route.abort() : route.continue()))
  await choose(page, [picture('again.png')])
  await ready(page, before + 1)
  assert.equal(sent, 2)
  await page.unrouteAll()

  // A proxy before the service may refuse what the service takes.
  await page.route('**/v1/media/uploads/**', (route) =>
    route.fulfill({ status: 413, contentType: 'text/html', body: '<h1>Too large</h1>' }),
  )
  await choose(page, [picture('large.png')])
  await list.getByText('The file is too large', { exact: false }).waitFor()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await ready(page, before + 2)

  // One whose bytes don't arrive can be stopped.
  let stopped = false
  await page.route('**/v1/media/uploads/**', () => {})
  page.on('requestfailed', () => (stopped = true))
  await choose(page, [picture('slow.png')])
  await page.getByRole('progressbar', { name: 'Upload of slow.png' }).waitFor()
  await page.getByRole('button', { name: 'Stop the upload of slow.png' }).click()
  await list.waitFor({ state: 'detached' })
  await until('the end of the request', () => stopped)
  assert.equal((await media()).length, before + 2)

  // What isn't a picture although it is called one is unusable, and says why.
  await page.unrouteAll()
  await choose(page, [{ name: 'fake.png', mimeType: 'image/png', buffer: Buffer.from('This is no picture.') }])
  const fake = tiles(page).filter({ hasText: 'Unusable' })
  await fake.waitFor()
  await fake.click()
  await page.getByRole('dialog').locator('.note.bad').waitFor()
})

test('a file is described, found, shown where it is used, and deleted once it isn’t', async (t) => {
  const door = await service.picture('A red door')
  const mission = await service.mission('With pictures', { platforms: ['mastodon'], ...(await service.later()) })
  const post = await service.rest('POST', '/content', {
    mission_id: mission.id,
    platform: 'mastodon',
    text: 'Our door is red now.',
    media: [{ media_id: door.id }],
  })
  const page = await open(t, service, '/library')
  await tiles(page).filter({ hasText: 'A red door' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('In 1 post', { exact: true }).waitFor()
  await dialog.getByText('8 × 6').waitFor()
  await accessible(page, 'a file')
  await dialog.getByLabel('Alt text').fill('A blue door')
  await dialog.getByLabel('Description').fill('Entrance, summer')
  await dialog.getByLabel('Made with AI').check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await until('the text', async () => (await service.rest('GET', `/media/${door.id}`)).alt_text === 'A blue door')
  assert.equal((await service.rest('GET', `/media/${door.id}`)).provenance.ai, 'declared')

  await dialog.getByRole('button', { name: 'Delete …' }).click()
  await dialog.getByRole('button', { name: 'Delete the file' }).click()
  await dialog
    .getByText('A post that isn’t published yet', { exact: false })
    .or(dialog.getByText("A post that isn't published yet"))
    .waitFor()
  await dialog.getByRole('link', { name: 'Our door is red now.' }).click()
  await page.getByRole('heading', { name: 'Post on Mastodon' }).waitFor()
  await service.rest('POST', `/content/${post.id}/cancel`)

  await page.goBack()
  await page.getByLabel('Search descriptions and alt texts').fill('summer')
  await until('one file', async () => (await tiles(page).count()) === 1)
  await tiles(page).filter({ hasText: 'A blue door' }).click()
  await dialog.getByRole('button', { name: 'Delete …' }).click()
  await dialog.getByRole('button', { name: 'Delete the file' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('No file is like that').waitFor()
})

test('a viewer looks at files, and changes none', async (t) => {
  await service.picture('A green door')
  const page = await open(t, service, '/library', { as: { email: 'viewer@example.com', role: 'viewer' } })
  await tiles(page).filter({ hasText: 'A green door' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('A green door').waitFor()
  for (const name of ['Upload files', 'Save', 'Delete …']) assert.equal(await page.getByRole('button', { name }).count(), 0, name)
})

test('pictures are chosen for a mission’s writer, by the keyboard, and one is uploaded there', async (t) => {
  const yellow = await service.picture('A yellow door')
  const mission = await service.mission('Illustrated', { platforms: ['mastodon'] })
  const page = await open(t, service, `/missions/${mission.id}/brief`)
  await page.getByRole('button', { name: 'Add pictures' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Choose files' })
  await until('the search has the focus', () => page.evaluate(() => document.activeElement?.getAttribute('type') === 'search'))
  await page.keyboard.type('yellow')
  const tile = dialog.getByRole('button', { name: 'A yellow door' })
  await until('one file', async () => (await dialog.getByRole('list', { name: 'Files' }).getByRole('button').count()) === 1)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  assert.equal(await tile.getAttribute('aria-pressed'), 'true')
  await accessible(page, 'choosing files')
  await dialog.getByRole('searchbox').fill('')
  await give(page, 'dialog .library', 'drop', [picture('new.png')])
  await dialog.getByRole('button', { name: 'Add 2 files' }).click() // once it was examined
  const list = page.getByRole('list', { name: 'Pictures for the writer' })
  await list.getByText('A yellow door').waitFor()
  const has = async () => (await service.rest('GET', `/missions/${mission.id}`)).media_ids
  assert.equal((await has()).length, 2)
  await page.getByRole('button', { name: 'Remove: A picture without a description' }).click()
  await until('one picture', async () => (await has()).join() === yellow.id)
})
