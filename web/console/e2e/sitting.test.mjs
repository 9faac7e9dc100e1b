// Tier: full
// A hundred posts, reviewed in one sitting by keyboard alone.
import assert from 'node:assert/strict'
import test from 'node:test'
import { open, serve, until } from './harness.mjs'

const service = await serve(1)
const posts = 110

// graphql runs an operation as a program of the tenant would.
async function graphql(query, variables) {
  const response = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  const { data, errors } = await response.json()
  assert.equal(errors, undefined, JSON.stringify(errors))
  return data
}

// place returns where the list is, and what of it a person sees.
const place = (page) =>
  page.evaluate(() => {
    const list = document.querySelector('.inbox > .list')
    const rows = [...list.querySelectorAll('.group li')]
    const current = list.querySelector('li.current')
    const at = current?.getBoundingClientRect()
    const frame = list.getBoundingClientRect()
    return {
      scroll: list.scrollTop,
      ids: rows.map((r) => r.querySelector('a').href.split('/').at(-1)),
      id: current?.querySelector('a').href.split('/').at(-1),
      height: at?.height ?? 0,
      visible: !!at && at.top >= frame.top + list.querySelector('header').offsetHeight - 1 && at.bottom <= frame.bottom + 1,
      shifts: window.shifts,
    }
  })

test('a hundred posts are reviewed without a jump', async (t) => {
  const mission = await service.mission('A sitting', { constraints: { posts_per_day: 1, require_approval: true }, duration_days: 300 })
  const rows = Array.from({ length: posts }, (_, i) =>
    JSON.stringify({ platform: 'mastodon', text: `Post ${i} of a sitting. ${'Some have more to say. '.repeat(i % 5)}` }),
  )
  const made = await graphql('mutation($input: ImportContentsInput!) { importContents(input: $input) { created rows { contentId } } }', {
    input: { format: 'NDJSON', data: rows.join('\n'), missionId: mission.id },
  })
  const imported = made.importContents.rows.map((r) => r.contentId)
  assert.equal(imported.length, posts)
  await service.written(mission, 1)

  const page = await open(t, service, '/inbox')
  await page.evaluate(() => {
    window.shifts = 0
    // What no key explains counts, and so does what a key moves out of sight.
    new PerformanceObserver((list) => {
      for (const e of list.getEntries()) if (!e.hadRecentInput) window.shifts += e.value
    }).observe({ type: 'layout-shift' })
  })
  const sent = []
  page.on('request', (r) => {
    const body = r.url().endsWith('/graphql') && r.method() === 'POST' && r.postDataJSON()
    const v = body?.variables
    if (v?.revision) sent.push(v.id)
    if (v?.items) sent.push(...v.items.map((i) => i.id))
  })
  const decided = new Map() // what was decided about each post
  const seen = new Set()
  let most = 0

  // settle waits for a decision to be drawn, and checks that nothing jumped.
  const settle = async (what, before, gone) => {
    const now = await until(`${what}: the next post`, async () => {
      const p = await place(page)
      return p.id !== undefined && !gone.some((id) => p.ids.includes(id)) && (gone.length === 0 || !gone.includes(p.id)) && p
    })
    for (const id of now.ids) seen.add(id)
    most = Math.max(most, now.ids.length)
    assert.ok(now.visible, `${what}: the current row is out of sight at ${now.scroll}`)
    const moved = Math.abs(now.scroll - before.scroll)
    const explained = (gone.length + 1) * 110 // a row is less, a group's title too
    assert.ok(moved <= explained, `${what}: the list moved by ${moved} px`)
    assert.equal(new Set(now.ids).size, now.ids.length, `${what}: a row is there twice`)
    // What was after the current post is next.
    if (gone.length) {
      const next = before.ids.slice(before.ids.indexOf(before.id)).find((id) => !gone.includes(id))
      if (next) assert.equal(now.id, next, `${what}: another post than the next is shown`)
    }
    return now
  }
  const decide = async (how, id) => {
    assert.ok(!decided.has(id), `${id} is reviewed twice`)
    decided.set(id, how)
  }

  let now = await place(page)
  for (const id of now.ids) seen.add(id)
  // Far down first: a list that is fetched again from its start would jump from here.
  for (let i = 0; i < 30; i++) {
    await page.keyboard.press('j')
  }
  now = await settle('going down', { ...now, scroll: (await place(page)).scroll }, [])
  assert.ok(now.scroll > 0, 'the list is longer than the window')
  for (let n = 0; decided.size < 100; n++) {
    const before = now
    if (n % 10 === 4) {
      await page.keyboard.press('r')
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox').press('Control+Enter')
      await decide('rejected', before.id)
      now = await settle(`rejection ${n}`, before, [before.id])
    } else if (n % 10 === 7) {
      const ids = [before.id]
      await page.keyboard.press('x')
      await page.keyboard.press('k')
      const other = (await place(page)).id
      if (other !== before.id) {
        await page.keyboard.press('x')
        ids.push(other)
      }
      await page.getByText(`${ids.length} post${ids.length > 1 ? 's' : ''} selected`).waitFor()
      const at = await place(page)
      await page.keyboard.press('Shift+A')
      for (const id of ids) await decide('approved', id)
      now = await settle(`approval together ${n}`, at, ids)
    } else if (n === 25) {
      // z takes back the last decision that the service has answered.
      const answered = page.waitForResponse(
        (r) =>
          r.url().endsWith('/graphql') &&
          r.request().postDataJSON()?.variables?.revision &&
          r.request().postDataJSON().variables.id === before.id,
      )
      await page.keyboard.press('a')
      await (await answered).finished()
      await settle('approval to take back', before, [before.id])
      await page.waitForTimeout(200)
      await page.keyboard.press('z')
      await page.getByText('Back in review.').waitFor()
      await until('it is back', async () => (await place(page)).ids.includes(before.id))
      sent.splice(sent.lastIndexOf(before.id), 1)
      now = await place(page)
      assert.ok(now.visible, 'the current row is out of sight after one came back')
    } else {
      await page.keyboard.press('a')
      await decide('approved', before.id)
      now = await settle(`approval ${n}`, before, [before.id])
    }
  }
  assert.ok(seen.size >= 100, `more pages come: ${seen.size} posts were seen`)
  assert.deepEqual([...sent].sort(), [...decided.keys()].sort(), 'each decision is sent once')
  // The last decision may still be on its way.
  const waiting = await until('none that was decided waits', async () => {
    const ids = new Set((await service.posts(`mission_id=${mission.id}&status=pending_review&limit=100`)).map((c) => c.id))
    return [...decided.keys()].every((id) => !ids.has(id)) && ids
  })
  for (const id of imported) assert.ok(decided.has(id) || waiting.has(id), `${id} is neither decided nor waiting`)
  const { shifts } = await place(page)
  assert.ok(shifts < 0.1, `the layout shifted by ${shifts}`)
})
