// Tier: full
import assert from 'node:assert/strict'
import test from 'node:test'
import { open, serve, settled, until } from './harness.mjs'

const service = await serve()

const statusOf = (id) => service.rest('GET', `/content/${id}`).then((c) => c.status)

test('posts are approved and rejected by keyboard', async (t) => {
  const mission = await service.mission('By keyboard')
  await service.written(mission, 4)
  const page = await open(t, service, '/inbox')
  const rows = page.getByRole('region', { name: 'Posts waiting' }).getByRole('listitem')
  await until('four rows', async () => (await rows.count()) === 4)
  await page.keyboard.press('j')
  const first = page.url().split('/').at(-1)
  await page.keyboard.press('a')
  await page.getByText('Approved.').waitFor()
  assert.equal(await rows.count(), 3)
  assert.match(await statusOf(first), /approved|scheduled|published/)
  const second = page.url().split('/').at(-1)
  assert.notEqual(second, first, 'the next post is shown')
  await page.keyboard.press('r')
  await page.getByRole('dialog').getByRole('button', { name: 'Off brand' }).click()
  await page.getByRole('dialog').getByRole('textbox').press('Control+Enter')
  await page.getByText('Rejected.').waitFor()
  const rejected = await service.rest('GET', `/content/${second}`)
  assert.equal(rejected.status, 'rejected')
  assert.equal(rejected.rejection_reason, 'Off brand')
})

test('several posts are approved at once', async (t) => {
  const mission = await service.mission('Together')
  await service.written(mission, 4)
  const page = await open(t, service, '/inbox')
  await page.keyboard.press('x')
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.getByText('2 posts selected').waitFor()
  await page.keyboard.press('Shift+A')
  await page.getByText('2 posts approved.').waitFor()
})

test('decisions are taken back', async (t) => {
  const mission = await service.mission('Taken back', await service.later())
  await service.written(mission, 4)
  const page = await open(t, service, '/inbox')
  await page.keyboard.press('j')
  const post = page.url().split('/').at(-1)
  await page.keyboard.press('a')
  await page.getByText('Approved.').waitFor()
  await page.keyboard.press('z')
  await page.getByText('Back in review.').waitFor()
  assert.equal(await statusOf(post), 'pending_review')
  await page.locator(`a[href$="/inbox/${post}"]`).click()
  await page.getByRole('button', { name: 'Reject' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
  await page.getByText('Rejected.').waitFor()
  assert.equal(await statusOf(post), 'rejected')
  assert.equal(await page.getByRole('status').getByRole('button', { name: 'Undo' }).count(), 1, 'what was taken back is offered no more')
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await until('it waits again', async () => (await statusOf(post)) === 'pending_review')
})

test('one that is stale among three stops none of the others', async (t) => {
  const mission = await service.mission('One stale', await service.later())
  await service.written(mission, 4)
  const page = await open(t, service, '/inbox')
  const ids = []
  for (let n = 0; n < 3; n++) {
    await page.keyboard.press('j')
    ids.push(page.url().split('/').at(-1))
    await page.keyboard.press('x')
  }
  await page.getByText('3 posts selected').waitFor()
  await service.rest('PUT', `/content/${ids[1]}`, { text: 'A text that nobody has read yet.' })
  await page.keyboard.press('Shift+A')
  const dialog = page.getByRole('dialog', { name: '2 of 3 approved' })
  await dialog.getByText('review the current revision').waitFor()
  assert.equal(await dialog.getByRole('listitem').count(), 3)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.waitFor({ state: 'hidden' })
  assert.equal(await statusOf(ids[1]), 'pending_review')
  for (const id of [ids[0], ids[2]]) assert.match(await statusOf(id), /approved|scheduled|published/)
  await page.keyboard.press('z')
  await page.getByText('2 posts back in review.').waitFor()
  for (const id of ids) assert.equal(await statusOf(id), 'pending_review')
})

test('a text that has changed is shown before it is approved', async (t) => {
  const mission = await service.mission('Stale')
  const [post] = await service.written(mission, 1)
  const page = await open(t, service, `/inbox/${post.id}`)
  await page.getByRole('article').first().waitFor()
  await service.rest('PUT', `/content/${post.id}`, { text: 'A text that nobody has read yet.' })
  await page.keyboard.press('a')
  const dialog = page.getByRole('dialog', { name: 'The text has changed' })
  await dialog.getByText('nobody').waitFor()
  assert.equal(await statusOf(post.id), 'pending_review')
  await dialog.getByRole('button', { name: 'Approve the new text' }).click()
  await until('it is approved', async () => /approved|scheduled|published/.test(await statusOf(post.id)))
})

test('an edit counts as its platform does, and is saved', async (t) => {
  const mission = await service.mission('Edited', { platforms: ['twitter'] })
  const post = (await service.written(mission, 4)).find((p) => p.type === 'post')
  const page = await open(t, service, `/inbox/${post.id}`)
  await page.keyboard.press('e')
  const form = page.getByRole('form', { name: 'Edit the post' })
  const text = form.getByRole('textbox', { name: 'Text' })
  await text.fill(`See https://example.com/${'x'.repeat(300)}`)
  await form.getByText('27/280').waitFor()
  await text.fill('日'.repeat(141))
  await form.getByText('282/280').waitFor()
  assert.ok(await form.getByRole('button', { name: 'Save' }).isDisabled())
  await text.fill('Shorter, and by a person.')
  await text.press('Control+Enter')
  await page.getByText('Saved.', { exact: true }).waitFor()
  await page.getByRole('article').getByText('Shorter, and by a person.').waitFor()
  assert.equal((await service.rest('GET', `/content/${post.id}`)).text, 'Shorter, and by a person.')
})

test('a text that somebody else changed isn’t replaced unseen', async (t) => {
  const mission = await service.mission('Edited twice', { ...(await service.later()), platforms: ['twitter'] })
  const post = (await service.written(mission, 4)).find((p) => p.type === 'post')
  const page = await open(t, service, `/inbox/${post.id}`)
  await page.keyboard.press('e')
  const form = page.getByRole('form', { name: 'Edit the post' })
  const text = form.getByRole('textbox').first()
  await text.fill('Mine, in one part.')
  await page.keyboard.press('Escape') // what was typed is kept
  await page.keyboard.press('e')
  assert.equal(await text.inputValue(), 'Mine, in one part.')
  await service.rest('PUT', `/content/${post.id}`, { text: 'Theirs, which nobody has read.' })
  await form.getByText('Somebody changed this post while you were writing.').waitFor()
  await form.getByText('Theirs').first().waitFor()
  assert.ok(await form.getByRole('button', { name: 'Save' }).isDisabled())
  await form.getByRole('button', { name: 'Keep mine' }).click()
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.', { exact: true }).waitFor()
  const now = await service.rest('GET', `/content/${post.id}`)
  assert.deepEqual([now.text, now.revision], ['Mine, in one part.', 3])
})

test('a text that somebody else changed isn’t rewritten unseen', async (t) => {
  const mission = await service.mission('Rewritten', { ...(await service.later()), platforms: ['mastodon'] })
  const post = (await service.written(mission, 4)).find((p) => p.type === 'post')
  const page = await open(t, service, `/inbox/${post.id}`, { expected: [/the server responded with a status of 409/] })
  await page.getByRole('article').first().waitFor()
  const dialog = page.getByRole('dialog', { name: 'Rewrite this post' })
  const words = dialog.getByRole('textbox', { name: 'What should be different' })
  const rewrite = dialog.getByRole('button', { name: 'Rewrite' })
  const revision = () => service.rest('GET', `/content/${post.id}`).then((c) => c.revision)
  // The page hears of no change: the service says so.
  let change = () => service.rest('PUT', `/content/${post.id}`, { text: 'Theirs, which nobody has read.' })
  await page.route('**/graphql', async (route) => {
    if (/Rewrite/.test(route.request().postData() ?? '')) await change()
    await route.continue()
  })
  await page.keyboard.press('g')
  await page.keyboard.press('r')
  await words.fill('Shorter')
  await words.press('Control+Enter')
  await dialog.getByText('Somebody changed this post since you read it.').waitFor()
  await dialog.getByText('Theirs').first().waitFor()
  assert.ok(await rewrite.isDisabled())
  assert.equal(await revision(), 2)
  change = () => {}
  await dialog.getByRole('button', { name: 'Continue with the new text' }).click()
  assert.equal(await words.inputValue(), 'Shorter', 'nothing is lost')
  await rewrite.click()
  await page.getByText('Rewritten: revision 3.').waitFor()
  assert.equal(await revision(), 3)
  // Another conflict says what it is.
  await page.keyboard.press('g')
  await page.keyboard.press('r')
  await words.fill('Longer')
  await service.rest('POST', `/missions/${mission.id}/pause`)
  await rewrite.click()
  await dialog.getByText('A mission that is paused writes nothing.').waitFor()
})

test('the text of a post that somebody else decides about is kept', async (t) => {
  const mission = await service.mission('Taken away', await service.later())
  const [post] = await service.written(mission, 2)
  const page = await open(t, service, `/inbox/${post.id}`)
  await page.keyboard.press('e')
  await page.getByRole('form', { name: 'Edit the post' }).getByRole('textbox').first().fill('Half a thought')
  await service.rest('POST', `/content/${post.id}/reject`, { reason: 'no' })
  await page.getByText('isn’t saved. It is kept in this tab.').waitFor()
  await page.getByRole('status').getByRole('button', { name: 'Copy' }).waitFor()
})

test('what is typed into a dialog survives a reload, until it is sent or discarded', async (t) => {
  const mission = await service.mission('Typed', await service.later())
  const [post] = await service.written(mission, 2)
  const page = await open(t, service, `/inbox/${post.id}`)
  const dialog = page.getByRole('dialog')
  const words = dialog.getByRole('textbox')
  const again = async (...keys) => {
    await page.reload()
    await settled(page)
    await page.getByRole('article').first().waitFor()
    for (const k of keys) await page.keyboard.press(k)
  }
  await page.getByRole('article').first().waitFor()
  for (const keys of [['r'], ['g', 'r']]) {
    for (const k of keys) await page.keyboard.press(k)
    await words.fill('Half a reason')
    await again(...keys)
    assert.equal(await words.inputValue(), 'Half a reason')
    await page.keyboard.press('Escape')
    await page.getByText('isn’t saved. It is kept in this tab.').waitFor()
    await again(...keys)
    assert.equal(await words.inputValue(), 'Half a reason')
    await dialog.getByRole('button', { name: 'Discard' }).click()
    for (const k of keys) await page.keyboard.press(k)
    assert.equal(await words.inputValue(), '')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  }
  // A reason that wasn't taken is kept too.
  await page.keyboard.press('r')
  await words.fill('The whole reason')
  await service.rest('PUT', `/content/${post.id}`, { text: 'A text that nobody has read yet.' })
  await page.getByText('The text changed while you were reading it.').waitFor()
  await words.press('Control+Enter')
  await page.getByRole('dialog', { name: 'The text has changed' }).getByRole('button', { name: 'Read it first' }).click()
  await page.keyboard.press('r')
  assert.equal(await words.inputValue(), 'The whole reason')
  await words.press('Control+Enter')
  await page.getByText('Rejected.').waitFor()
  assert.equal((await service.rest('GET', `/content/${post.id}`)).rejection_reason, 'The whole reason')
  assert.deepEqual(await page.evaluate(() => Object.keys(sessionStorage).filter((k) => /^(reject|rewrite) /.test(k))), [])
})

test('new posts come by themselves', async (t) => {
  const page = await open(t, service, '/inbox')
  const mission = await service.mission('Appears')
  const [post] = await service.written(mission, 1)
  await page.locator(`a[href$="/inbox/${post.id}"]`).waitFor()
})

test('a decision that is taken back at once is that one, not the one before', async (t) => {
  const mission = await service.mission('Now', await service.later())
  await service.written(mission, 4)
  const page = await open(t, service, '/inbox')
  await page.keyboard.press('j')
  const first = page.url().split('/').at(-1)
  await page.keyboard.press('a')
  await page.getByText('Approved.').waitFor()
  await page.route('**/graphql', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300))
    await route.continue()
  })
  const second = page.url().split('/').at(-1)
  assert.notEqual(second, first)
  await page.keyboard.press('a')
  await page.keyboard.press('z')
  await page.getByText('Back in review.').waitFor()
  assert.equal(await statusOf(second), 'pending_review')
  assert.match(await statusOf(first), /approved|scheduled|published/)
})

// gate returns a promise and what fulfils it.
function gate() {
  let open
  const opened = new Promise((done) => (open = done))
  return { open, opened }
}

// A list that was read before a decision doesn't bring the post back, whoever has decided.
const deciders = {
  'a decision': async (page) => {
    await page.keyboard.press('a')
    await page.getByRole('status').filter({ hasText: 'Approved.' }).waitFor()
  },
  'a decision of somebody else': (page, post) => service.rest('POST', `/content/${post}/approve`),
}
for (const [what, decide] of Object.entries(deciders))
  test(`a list that was read before ${what} doesn’t bring the post back`, async (t) => {
    const mission = await service.mission(`Read before ${what}`, await service.later())
    await service.written(mission, 2)
    const page = await open(t, service, '/inbox')
    const first = page.locator('.inbox > .list .group li a').first()
    const href = await first.getAttribute('href')
    const [read, release] = [gate(), gate()]
    await page.route('**/graphql', async (route) => {
      if (route.request().postDataJSON().operationName !== 'InboxListQuery') return route.fallback()
      const response = await route.fetch()
      read.open()
      await release.opened
      await route.fulfill({ response })
    })
    await service.rest('POST', '/content', { mission_id: mission.id, platform: mission.platforms[0], text: 'One that comes later.' })
    await read.opened
    await decide(page, href.split('/').at(-1))
    const decided = page.locator(`.inbox > .list .group li a[href="${href}"]`)
    await until('the post has left the list', async () => (await decided.count()) === 0)
    const answered = page.waitForResponse((r) => r.request().postDataJSON?.()?.operationName === 'InboxListQuery')
    release.open()
    await (await answered).finished()
    await settled(page)
    await page.waitForTimeout(300)
    assert.notEqual(await first.getAttribute('href'), href)
    assert.equal(await decided.count(), 0)
  })

test('on a phone a message covers no button', async (t) => {
  const mission = await service.mission('On a phone', await service.later())
  const [post] = await service.written(mission, 3)
  const page = await open(t, service, `/inbox/${post.id}`, { width: 390, touch: true })
  const approve = page.getByRole('toolbar', { name: 'Decide' }).getByRole('button', { name: 'Approve' })
  await approve.click()
  const message = await page.getByRole('status').filter({ hasText: 'Approved.' }).boundingBox()
  for (const name of ['Approve', 'Reject', 'Edit', 'Rewrite']) {
    const b = await page.getByRole('toolbar', { name: 'Decide' }).getByRole('button', { name }).boundingBox()
    assert.ok(b.y >= message.y + message.height || b.y + b.height <= message.y, `${name} is covered`)
  }
})

test('a slot that has passed is said to be one', async (t) => {
  const mission = await service.mission('Passed', await service.later())
  const [post] = await service.written(mission, 1)
  const page = await open(t, service, '/inbox')
  await page.route('**/graphql', async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    for (const e of body.data?.contents?.edges ?? []) e.node.scheduledAt = '2020-01-07T15:49:00.000Z'
    await route.fulfill({ response, json: body })
  })
  await page.goto(`${service.url}/console/inbox/${post.id}`)
  await page.getByText(/goes out as soon as it is approved; its slot was .*7 Jan.*Europe\/Berlin/).waitFor()
})
