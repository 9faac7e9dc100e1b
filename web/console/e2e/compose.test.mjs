// Tier: full
import assert from 'node:assert/strict'
import test from 'node:test'
import { accessible, fits, open, serve, settled, until } from './harness.mjs'

const service = await serve(1)
const mission = await service.mission('Kestrel', {
  platforms: ['twitter', 'linkedin', 'mastodon'],
  constraints: { posting_times: ['09:00', '17:00'], posts_per_day: 2, timezone: 'UTC' },
})
const dialogOf = (page) => page.getByRole('dialog', { name: 'Write a post' })
const text = (page) => dialogOf(page).getByRole('textbox', { name: 'Text', exact: true })
const slot = (page) => dialogOf(page).getByRole('group', { name: 'Goes out' }).getByRole('status')
const drafts = (page) => dialogOf(page).getByRole('button', { name: /Drafts/ })
const saved = (page) => dialogOf(page).getByText('Draft saved').waitFor()
const made = async (start) => (await service.posts(`mission_id=${mission.id}&limit=100`)).filter((p) => p.text.startsWith(start))

async function write(page, words) {
  await page.keyboard.press('n')
  await text(page).fill(words)
  return dialogOf(page)
}

async function discard(page) {
  await dialogOf(page)
    .getByRole('button', { name: /Discard|Cancel/ })
    .click()
  await dialogOf(page).waitFor({ state: 'detached' })
}

// give drops or pastes a picture of one colour.
const give = (page, selector, type, colour) =>
  page.evaluate(
    async ({ selector, type, colour }) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 60, height: 40 })
      const ink = canvas.getContext('2d')
      ink.fillStyle = colour
      ink.fillRect(0, 0, 60, 40)
      const transfer = new DataTransfer()
      transfer.items.add(new File([await new Promise((done) => canvas.toBlob(done))], `${colour}.png`, { type: 'image/png' }))
      const about = { bubbles: true, cancelable: true }
      const event =
        type === 'paste'
          ? new ClipboardEvent(type, { ...about, clipboardData: transfer })
          : new DragEvent(type, { ...about, dataTransfer: transfer })
      document.querySelector(selector).dispatchEvent(event)
    },
    { selector, type, colour },
  )

test('a post is written for all platforms at once, and tailored for one', async (t) => {
  const page = await open(t, service, '/posts')
  const dialog = await write(page, 'For everybody.')
  await dialog.getByRole('tab', { name: /LinkedIn/ }).click()
  await dialog.getByRole('article', { name: 'Post on LinkedIn' }).getByText('For everybody.').waitFor()
  await dialog.getByRole('button', { name: 'Tailor for LinkedIn' }).click()
  await dialog.getByRole('textbox', { name: 'Text for LinkedIn' }).fill('For everybody at work.')
  await dialog.getByRole('article', { name: 'Post on LinkedIn' }).getByText('For everybody at work.').waitFor()
  await dialog.getByRole('button', { name: 'Same text' }).click()
  await dialog.getByRole('article').getByText('For everybody.', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Tailor for LinkedIn' }).click()
  await dialog.getByRole('article').getByText('For everybody at work.').waitFor()
  await text(page).press('Control+Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText(/^X, LinkedIn, Mastodon: added to the inbox for review, for /).waitFor()
  const posts = await made('For everybody')
  assert.deepEqual(posts.map((p) => `${p.platform}: ${p.text}`).sort(), [
    'linkedin: For everybody at work.',
    'mastodon: For everybody.',
    'twitter: For everybody.',
  ])
  assert.equal(new Set(posts.map((p) => p.scheduled_at)).size, 1, 'they go out together')
})

test('a text is split into a thread where there are threads', async (t) => {
  const page = await open(t, service, `/missions/${mission.id}`)
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Find' }).getByRole('combobox').fill('write a po')
  await page.keyboard.press('Enter')
  await text(page).fill('Split one.\n\nSplit two.\n \nSplit three.')
  const dialog = dialogOf(page)
  await dialog.getByRole('button', { name: 'Split into a thread' }).click()
  assert.equal(await dialog.getByRole('textbox', { name: 'Part 3' }).inputValue(), 'Split three.')
  await dialog.getByText('1/3', { exact: true }).waitFor()
  await dialog.getByRole('tab', { name: /LinkedIn/ }).click()
  assert.equal(await dialog.getByText('1/3', { exact: true }).count(), 0, 'LinkedIn has no threads')
  await dialog.getByRole('textbox', { name: 'Part 1' }).press('Control+Enter')
  await dialog.waitFor({ state: 'detached' })
  const posts = await made('Split one.')
  assert.deepEqual(posts.map((p) => `${p.platform} ${p.type} ${p.parts.length}`).sort(), [
    'linkedin post 0',
    'mastodon thread 3',
    'twitter thread 3',
  ])
})

test('pictures are dropped and pasted, with their alt texts', async (t) => {
  const page = await open(t, service, '/calendar')
  const dialog = await write(page, 'With pictures.')
  await give(page, '.compose', 'dragover', 'red')
  await page.locator('.compose.over').waitFor()
  await give(page, '.compose', 'drop', 'red')
  const files = dialog.getByRole('list', { name: 'Files' }).getByRole('listitem')
  await files.first().getByLabel('Alt text').fill('A red door')
  await give(page, 'body', 'paste', 'blue')
  await files.nth(1).getByLabel('Alt text').fill('A blue door')
  await dialog.getByRole('article').getByRole('img', { name: 'A red door' }).waitFor()
  await dialog.getByRole('article').getByRole('img', { name: 'A blue door' }).waitFor()
  await accessible(page, 'the composer with pictures')
  // Of the library.
  await dialog.getByRole('button', { name: 'Add files' }).click()
  const library = page.getByRole('dialog', { name: 'Choose files' })
  await until('both', async () => (await library.getByRole('list', { name: 'Files' }).getByRole('button').count()) === 2)
  await page.keyboard.press('Escape')
  await library.waitFor({ state: 'detached' })
  await text(page).press('Control+Enter')
  await dialog.waitFor({ state: 'detached' })
  for (const p of await made('With pictures.'))
    assert.deepEqual(
      p.media.map((m) => m.alt_text),
      ['A red door', 'A blue door'],
      p.platform,
    )
})

test('what a platform refuses stays, with its reason, and nothing is made twice', async (t) => {
  const page = await open(t, service, '/calendar')
  const at = new Date(Math.ceil((Date.now() + 5 * 86_400_000) / 3_600_000) * 3_600_000).toISOString()
  await service.rest('POST', '/content', { mission_id: mission.id, platform: 'linkedin', text: 'It has that time.', scheduled_at: at })
  const dialog = await write(page, 'Refused once.')
  await dialog.getByRole('button', { name: 'Pick a time' }).click()
  const local = new Date(Date.parse(at) + 3_600_000).toISOString().slice(0, 16) // Berlin in winter
  await dialog.getByLabel('Time', { exact: true }).fill(local)
  await text(page).press('Control+Enter')
  await page.getByText(/Not made: LinkedIn\./).waitFor()
  assert.deepEqual(
    await dialog
      .getByRole('tab')
      .allInnerTexts()
      .then((all) => all.map((s) => s.split('\n')[0])),
    ['LinkedIn'],
  )
  await dialog
    .getByRole('tabpanel')
    .getByText(/another post to the same place at \w+,? \d+ \w+, \d\d:\d\d\./)
    .waitFor()
  assert.equal(await text(page).inputValue(), 'Refused once.')
  const refused = await slot(page).innerText()
  await dialog.getByRole('button', { name: 'Later' }).click()
  await until('a later slot', async () => (await slot(page).innerText()) !== refused)
  await text(page).press('Control+Enter')
  await dialog.waitFor({ state: 'detached' })
  assert.deepEqual((await made('Refused once.')).map((p) => p.platform).sort(), ['linkedin', 'mastodon', 'twitter'])

  // What the page knows is said before anything is sent.
  await write(page, 'x'.repeat(300))
  await text(page).press('Control+Enter')
  await dialog.getByRole('tabpanel', { name: /X/ }).getByText('The text is too long for its platform.').waitFor()
  await dialog.getByRole('tab', { name: /X.*has a problem/ }).waitFor()
  await text(page).fill('Shorter.')
  await dialog.getByText('The text is too long for its platform.').waitFor({ state: 'detached' })
  await discard(page)
  assert.equal((await made('xxx')).length, 0)
})

test('a draft survives a reload, and is continued on another device', async (t) => {
  const page = await open(t, service, '/calendar')
  await write(page, 'A draft of mine.')
  await page.reload() // before it is saved
  await settled(page)
  await page.keyboard.press('n')
  assert.equal(await text(page).inputValue(), 'A draft of mine.')
  await saved(page)

  const other = await open(t, service, '/posts')
  await other.keyboard.press('n')
  assert.equal(await text(other).inputValue(), '')
  await dialogOf(other).getByRole('button', { name: 'Drafts (1)' }).click()
  await other.getByRole('menuitem', { name: /A draft of mine\./ }).click()
  await until('the draft', async () => (await text(other).inputValue()) === 'A draft of mine.')
  await text(other).fill('A draft of mine, longer.')
  await saved(other)

  // Neither overwrites the other.
  const changed = dialogOf(page).getByText('This draft was changed in another tab or on another device.')
  await text(page).fill('A draft of mine, otherwise.')
  await changed.waitFor()
  await dialogOf(page).getByRole('button', { name: 'Use that one' }).click()
  await until('theirs', async () => (await text(page).inputValue()) === 'A draft of mine, longer.')
  await text(other).fill('A draft of mine, once more.')
  await saved(other)
  await text(page).fill('A draft of its own.')
  await changed.waitFor()
  await dialogOf(page).getByRole('button', { name: 'Keep both' }).click()
  await saved(page)
  await text(other).fill('A draft of mine, done.')
  await saved(other)

  // Once it is sent it is nowhere.
  await text(other).press('Control+Enter')
  await dialogOf(other).waitFor({ state: 'detached' })
  await page.reload()
  await settled(page)
  await page.keyboard.press('n')
  assert.equal(await text(page).inputValue(), 'A draft of its own.')
  assert.equal(await drafts(page).innerText(), 'Drafts')
  await discard(page)
  await page.keyboard.press('n')
  assert.equal(await text(page).inputValue(), '')
  assert.equal(await drafts(page).count(), 0)
})

test('a draft is saved once the person pauses, and nothing is asked while nobody does anything', async (t) => {
  const page = await open(t, service, '/calendar')
  const asked = []
  page.on('request', (r) => r.url().endsWith('/graphql') && asked.push(r.postDataJSON()?.operationName))
  await page.keyboard.press('n')
  await text(page).pressSequentially('Typed letter by letter, with care.', { delay: 20 })
  await saved(page)
  await page.waitForTimeout(5000)
  assert.equal(asked.filter((o) => o === 'keeperSaveMutation').length, 1)
  // The page behind it is read once more when its connection is there.
  const behind = ['ShellQuery', 'CalendarQuery']
  for (const name of behind) assert.ok(asked.filter((o) => o === name).length <= 1, `${asked}`)
  assert.ok(asked.filter((o) => !behind.includes(o)).length <= 4, `${asked}`)
  // Closing keeps it, and it can be continued.
  await page.keyboard.press('Escape')
  await page.getByText('The draft is kept.').waitFor()
  await page.keyboard.press('n')
  assert.match(await text(page).inputValue(), /^Typed letter/)
  await discard(page)
  await page.getByRole('button', { name: 'Undo' }).click()
  assert.match(await text(page).inputValue(), /^Typed letter/)
  await discard(page)
  await page.keyboard.press('n')
  assert.equal(await text(page).inputValue(), '')
})

test('the slot is said in words, with those around it and any other time', async (t) => {
  const page = await open(t, service, '/calendar')
  const dialog = await write(page, 'In its slot.')
  const words = async () => (await slot(page).innerText()).replace(/^Goes out\s*/, '')
  await until('the first slot', async () => /next free slot of Kestrel/.test(await words()))
  const first = await words()
  assert.equal(await dialog.getByRole('button', { name: 'Earlier' }).isDisabled(), true)
  const seen = new Set([first])
  for (let i = 0; i < 12; i++) {
    const before = await words()
    await dialog.getByRole('button', { name: 'Later' }).click()
    await until('a later slot', async () => (await words()) !== before)
    seen.add(await words())
  }
  assert.equal(seen.size, 13, 'beyond the first ten, too')
  for (let i = 0; i < 12; i++) await dialog.getByRole('button', { name: 'Earlier' }).click()
  assert.equal(await words(), first)
  await dialog.getByRole('button', { name: 'Later' }).click()
  const chosen = await words()
  await text(page).press('Control+Enter')
  await dialog.waitFor({ state: 'detached' })
  const [post] = await made('In its slot.')
  const berlin = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'Europe/Berlin' })
  assert.ok(chosen.startsWith(berlin.format(new Date(post.scheduled_at))), `${chosen} is ${post.scheduled_at}`)
})

test('a post is written by the keyboard alone', async (t) => {
  const page = await open(t, service, '/missions')
  await page.keyboard.press('n')
  await text(page).waitFor()
  await until('the focus', () => text(page).evaluate((e) => e === document.activeElement))
  await page.keyboard.type('By keys.')
  const tab = dialogOf(page).getByRole('tab', { selected: true })
  for (let i = 0; i < 30 && !(await tab.evaluate((e) => e === document.activeElement)); i++) await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowRight')
  assert.match(await tab.innerText(), /LinkedIn/)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  assert.match(await tab.innerText(), /X/)
  await page.keyboard.press('End')
  assert.match(await tab.innerText(), /Mastodon/)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate(() => document.activeElement.value), 'By keys.')
  await page.keyboard.press('End')
  await page.keyboard.type(' And more.')
  await page.keyboard.press('Control+Enter')
  await dialogOf(page).waitFor({ state: 'detached' })
  assert.equal((await made('By keys. And more.'))[0].platform, 'mastodon')
})

test('it is written on a phone, and can be read by everybody', async (t) => {
  const page = await open(t, service, '/posts', { width: 390 })
  await page.getByRole('button', { name: 'Write a post' }).click()
  await text(page).fill(`${'A long word: '}${'x'.repeat(90)}\n\nhttps://example.com/${'y'.repeat(90)}`)
  const dialog = dialogOf(page)
  await dialog.getByRole('button', { name: 'Tailor for X' }).click()
  for (const width of [390, 720, 1024, 1440]) {
    await fits(page, 'the composer', width)
    const over = await page.evaluate(() => {
      const body = document.querySelector('dialog .body')
      return body.scrollWidth - body.clientWidth
    })
    assert.ok(over <= 0, `the composer scrolls sideways by ${over} px at ${width}`)
  }
  await accessible(page, 'the composer')
  await discard(page)
})

test('a viewer writes nothing', async (t) => {
  const page = await open(t, service, '/posts', { as: { email: 'vic@example.com', role: 'viewer' } })
  assert.equal(await page.getByRole('button', { name: 'Write a post' }).count(), 0)
  await page.keyboard.press('n')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Find' }).getByRole('combobox').fill('write a post')
  await page.getByText('Nothing found for').waitFor()
})
