// What a marketing person and a reviewer do each day, step by step.
import assert from 'node:assert/strict'
import { serve, shown, until } from './harness.mjs'
import { journeys } from './journey.mjs'

const service = await serve(1)
const later = await service.later()
const mission = await service.mission('Autumn', { ...later, platforms: ['mastodon'], duration_days: 300 })
await service.written(mission, 4)

let made = 0
// waits makes posts that wait for review, each with a text of its own.
async function waits(n = 1, text = 'A post of the autumn') {
  const posts = []
  for (; n > 0; n--)
    posts.push(await service.rest('POST', '/content', { mission_id: mission.id, platform: 'mastodon', text: `${text}, ${++made}` }))
  return posts
}
const statusOf = (id) => service.rest('GET', `/content/${id}`).then((c) => c.status)
const decided = (posts, status) =>
  until(`${posts.length} posts that are ${status}`, async () =>
    (await Promise.all(posts.map((p) => statusOf(p.id)))).every((s) => status.test(s)),
  )
const waiting = async () => (await service.posts(`status=pending_review&limit=100`)).length

// first makes posts and returns how many wait.
const enough = (n) => async () => {
  await waits(Math.max(0, n - (await waiting())))
  return await waiting()
}
// one makes a post, whose review is the page.
const one = async () => (await waits())[0]
const review = (p) => `/inbox/${p.id}`
const button = (page, name) => page.getByRole('button', { name, exact: true })
const decide = (page, name) => page.getByRole('toolbar', { name: 'Decide' }).getByRole('button', { name })
const rows = (page) => page.getByRole('region', { name: 'Posts waiting' }).getByRole('listitem')
const dialog = (page) => page.getByRole('dialog')
const said = (page, text) => page.getByRole('status').getByText(text).first().waitFor()

const day = 86_400_000
const next = (p) => new Date(Date.parse(p.scheduled_at) + day).toISOString().slice(0, 10)
// sheet is a file of twenty posts, three of which can't be made.
const sheet = {
  name: 'posts.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    ['platform,text', ...Array.from({ length: 17 }, (_, i) => `mastodon,Imported ${i}`), 'myspace,Nowhere', 'mastodon,', 'fax,Nobody'].join(
      '\n',
    ),
  ),
}

const gone = (n) => (page, before) => until(`${n} posts fewer`, async () => (await waiting()) === before - n)

const tasks = {
  '1 a mission is created and started': {
    from: '/',
    mouse: [
      5,
      async (m, page) => {
        await m.click(page.getByRole('link', { name: 'New mission' }).first())
        await m.type(page.getByRole('textbox', { name: 'Name' }), 'Winter')
        await m.type(page.getByRole('textbox', { name: 'Objectives' }), 'Bring readers to the shop')
        await m.click(page.getByText('Bluesky'))
        await m.click(button(page, 'Start the mission'))
      },
    ],
    keyboard: [
      18,
      async (k, page) => {
        await k.press('c')
        await k.type('Winter')
        await k.to(page.getByRole('textbox', { name: 'Objectives' }))
        await k.type('Bring readers to the shop')
        await k.to(page.getByRole('checkbox', { name: /Bluesky/ }))
        await k.press('Space', 'Enter')
      },
    ],
    done: async (page) => {
      await page.getByRole('heading', { level: 1, name: /Winter/ }).waitFor()
      const { id, status } = await service.rest('GET', `/missions/${page.url().split('/').at(-1)}`)
      assert.equal(status, 'active')
      await service.rest('POST', `/missions/${id}/pause`)
      await service.rest('DELETE', `/missions/${id}`)
    },
  },
  '2 the estimate says what comes of it': {
    from: '/missions/new',
    mouse: [
      3,
      async (m, page) => {
        await m.type(page.getByRole('textbox', { name: 'Name' }), 'Spring')
        await m.type(page.getByRole('textbox', { name: 'Objectives' }), 'Show the garden')
        await m.click(page.getByText('Bluesky'))
      },
    ],
    keyboard: [
      16,
      async (k, page) => {
        await k.type('Spring')
        await k.to(page.getByRole('textbox', { name: 'Objectives' }))
        await k.type('Show the garden')
        await k.to(page.getByRole('checkbox', { name: /Bluesky/ }))
        await k.press('Space')
      },
    ],
    done: async (page) => {
      await page.getByRole('status').getByText('42 posts').waitFor()
      await page.getByRole('definition').filter({ hasText: /\d/ }).first().waitFor()
      const slots = page.getByRole('list', { name: 'First posts' }).getByRole('listitem')
      await until('ten slots', async () => (await slots.count()) === 10)
      const { y, height } = await slots.first().boundingBox()
      assert.ok(y + height < 900, 'the first slot is in sight')
      await button(page, 'Start over').click()
    },
  },
  '3 an empty form says what is missing': {
    from: '/missions/new',
    mouse: [1, (m, page) => m.click(button(page, 'Start the mission'))],
    keyboard: [1, (k) => k.press('Enter')],
    done: async (page) => {
      for (const text of ['Enter a name.', 'Enter at least one objective.', 'Choose at least one platform.'])
        await page.getByText(text).waitFor()
      await until('the focus on the first', () => page.getByRole('textbox', { name: 'Name' }).evaluate((e) => e === document.activeElement))
    },
  },
  '6 a post is rejected with a reason': {
    from: review,
    given: one,
    mouse: [
      3,
      async (m, page) => {
        await m.click(decide(page, 'Reject'))
        await m.click(dialog(page).getByRole('button', { name: 'Off brand' }))
        await m.click(dialog(page).getByRole('button', { name: 'Reject' }))
      },
    ],
    keyboard: [
      3,
      async (k) => {
        await k.press('r')
        await k.type('Off brand')
        await k.press('Control+Enter')
      },
    ],
    done: async (page, p) => {
      await said(page, 'Rejected.')
      assert.equal((await service.rest('GET', `/content/${p.id}`)).rejection_reason, 'Off brand')
    },
  },
  '7 a post is edited, with its length': {
    from: review,
    given: one,
    mouse: [
      3,
      async (m, page) => {
        await m.click(decide(page, 'Edit'))
        await m.type(page.getByRole('textbox', { name: 'Text' }), 'Shorter, and by a person.')
        await shown(page, '25/500')
        await m.click(button(page, 'Save'))
      },
    ],
    keyboard: [
      4,
      async (k, page) => {
        await k.press('e', 'Control+a')
        await k.type('Shorter, and by a person.')
        await shown(page, '25/500')
        await k.press('Control+Enter')
      },
    ],
    done: async (page, p) => {
      await said(page, 'Saved.')
      assert.equal((await service.rest('GET', `/content/${p.id}`)).text, 'Shorter, and by a person.')
    },
  },
  '8 a post is written anew': {
    from: review,
    given: async () =>
      (await service.posts(`mission_id=${mission.id}&limit=100`)).find((p) => p.origin !== 'person' && p.status === 'pending_review'),
    mouse: [
      3,
      async (m, page) => {
        await m.click(decide(page, 'Rewrite'))
        await m.type(dialog(page).getByRole('textbox'), 'Begin with a question')
        await m.click(dialog(page).getByRole('button', { name: 'Rewrite' }))
      },
    ],
    keyboard: [
      4,
      async (k) => {
        await k.press('g r')
        await k.type('Begin with a question')
        await k.press('Control+Enter')
      },
    ],
    done: async (page, p) => {
      await said(page, /^Rewritten: revision \d/)
      assert.ok((await service.rest('GET', `/content/${p.id}`)).revision > p.revision)
    },
  },
  '9 a post is moved in the calendar': {
    from: (p) => `/calendar?view=month&day=${p.scheduled_at.slice(0, 10)}&zone=UTC`,
    given: async () => {
      const [p] = await waits()
      // It is after all slots of its day that aren't written yet, and in sight.
      const at = new Date(Math.ceil((await service.now()) / day) * day + 2 * day - 3_600_000 + made * 60_000)
      await service.rest('POST', `/content/${p.id}/reschedule`, { scheduled_at: at.toISOString() })
      await service.rest('POST', `/content/${p.id}/approve`)
      return service.rest('GET', `/content/${p.id}`)
    },
    ready: (page, p) => page.locator(`[data-post="${p.id}"]`).focus(),
    mouse: [1, (m, page, p) => m.drag(page.locator(`[data-post="${p.id}"]`), page.locator(`[data-cell="${next(p)}"]`))],
    keyboard: [1, (k) => k.press('Alt+ArrowRight')],
    done: async (page, p) => {
      await said(page, /^Moved to/)
      assert.equal((await service.rest('GET', `/content/${p.id}`)).scheduled_at, new Date(Date.parse(p.scheduled_at) + day).toISOString())
    },
  },
  '10 a post is written by hand': {
    from: '/calendar',
    given: waiting,
    mouse: [
      4,
      async (m, page) => {
        await m.click(button(page, 'Write a post'))
        await m.type(dialog(page).getByRole('textbox', { name: 'Text', exact: true }), 'By hand')
        await m.click(dialog(page).getByRole('button', { name: /^(Add to the queue|Schedule)/ }))
      },
    ],
    keyboard: [
      6,
      async (k, page) => {
        await k.press('n')
        await k.to(dialog(page).getByRole('textbox', { name: 'Text', exact: true }))
        await k.type('By hand')
        await k.press('Control+Enter')
      },
    ],
    done: async (page, before) => {
      await dialog(page).waitFor({ state: 'detached' })
      await until('the post', async () => (await waiting()) === before + 1)
    },
  },
  '11 posts are imported': {
    from: '/',
    given: waiting,
    mouse: [
      5,
      async (m, page) => {
        await m.click(page.getByRole('main').getByRole('link', { name: /^Autumn/ }))
        await m.click(page.getByRole('navigation', { name: 'Mission' }).getByRole('link', { name: 'Posts' }))
        await m.click(button(page, 'Import'))
        await m.upload(dialog(page).getByLabel('File'), sheet)
        await m.click(button(page, 'Import the other 17'))
      },
    ],
    keyboard: [
      24,
      async (k, page) => {
        await k.press('Control+k')
        await k.type('Autumn')
        await page.getByRole('option', { name: /^Autumn/ }).waitFor()
        await k.press('Enter')
        await k.click(page.getByRole('navigation', { name: 'Mission' }).getByRole('link', { name: 'Posts' }))
        await k.click(button(page, 'Import'))
        await k.upload(dialog(page).getByLabel('File'), sheet)
        await k.click(button(page, 'Import the other 17'))
      },
    ],
    done: async (page, before) => {
      await dialog(page).getByText('17 posts imported.').waitFor()
      await dialog(page).getByText('Line 21:').waitFor()
      assert.equal(await waiting(), before + 17)
    },
  },
  '4 ten posts are approved': {
    from: '/inbox',
    given: enough(17),
    mouse: [
      10,
      async (m, page) => {
        for (let i = 0; i < 10; i++) {
          const before = page.url()
          await m.click(decide(page, 'Approve'))
          await until('the next', () => page.url() !== before)
        }
      },
    ],
    keyboard: [10, (k) => k.press(...'aaaaaaaaaa')],
    done: gone(10),
  },
  '5 four posts are approved at once': {
    from: '/inbox',
    given: enough(8),
    mouse: [
      5,
      async (m, page) => {
        for (let i = 0; i < 4; i++) await m.click(rows(page).nth(i).getByRole('checkbox'))
        await m.click(page.locator('.bulk').getByRole('button', { name: 'Approve' }))
      },
    ],
    keyboard: [8, (k) => k.press(...'xjxjxjx', 'Shift+A')],
    done: gone(4),
  },
  '23 everything is put on hold, and released': {
    from: '/',
    mouse: [
      4,
      async (m, page) => {
        await m.click(page.getByRole('button', { name: /^Hold everything/ }))
        await m.type(page.getByRole('textbox', { name: 'Reason' }), 'The launch is late')
        await m.click(button(page, 'Hold everything'))
        await m.click(button(page, 'Release'))
      },
    ],
    keyboard: [
      4,
      async (k, page) => {
        await k.press('Shift+H')
        await k.type('The launch is late')
        await k.press('Control+Enter')
        await page.getByText(/on hold since .*The launch is late/).waitFor()
        await k.press('Shift+U')
      },
    ],
    done: async (page) => {
      await said(page, /^Released/)
      await until('the mission goes on', async () => (await service.rest('GET', `/missions/${mission.id}`)).status === 'active')
    },
  },
  '25 a post is found by its text': {
    from: '/',
    given: async () => (await waits(1, `A needle in the hay`))[0],
    mouse: [
      3,
      async (m, page, p) => {
        await m.click(page.getByRole('button', { name: /^Find/ }))
        await m.type(page.getByRole('combobox', { name: /^Find/ }), p.text)
        await m.click(page.getByRole('option', { name: p.text }))
      },
    ],
    keyboard: [
      3,
      async (k, page, p) => {
        await k.press('Control+k')
        await k.type(p.text)
        await page.getByRole('option', { name: p.text }).waitFor()
        await k.press('Enter')
      },
    ],
    done: async (page, p) => {
      await page.getByRole('heading', { level: 1, name: 'Post on Mastodon' }).waitFor()
      assert.ok(page.url().endsWith(p.id))
    },
  },
}
journeys(service, tasks)

// At 200 % of a laptop's window everything is still within reach; missions are begun from their list there.
const zoomed = Object.entries(tasks).filter(([name]) => /^(1|3|6|7|9|10|23|25) /.test(name))
journeys(
  service,
  Object.fromEntries(zoomed.map(([name, task]) => [name, { ...task, from: name.startsWith('1 ') ? '/missions' : task.from }])),
  {
    title: 'at 200 % zoom',
    size: { width: 720, height: 450 },
    inFull: true,
  },
)
