// What a marketing person does now and then, and an administrator, step by step.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import { after } from 'node:test'
import { prepare, shown, until } from './harness.mjs'
import { journeys } from './journey.mjs'
import { Mastodon } from './mastodon.mjs'

const mastodon = await new Mastodon().start()
after(() => mastodon.stop())
// The receiver refuses events for good, so that no retry heals the endpoint, and takes tests while it is mended.
let mended = false
const receiver = http.createServer(async (q, r) => {
  let body = ''
  for await (const part of q) body += part
  r.writeHead(mended && body.includes('"webhook.test"') ? 200 : 503).end('The receiver is being mended')
})
await new Promise((done) => receiver.listen(0, '127.0.0.1', done))
after(() => (receiver.close(), receiver.closeAllConnections()))
const hook = `http://127.0.0.1:${receiver.address().port}/hook`

// A mission has lived for some days, a day in four seconds, and is looked at in real time.
const service = prepare()
await service.start(21_600)
const { id: endpoint } = await service.rest('POST', '/webhooks', { url: hook, events: ['content.published'] })
const grown = await service.mission('Grown', {
  platforms: ['linkedin', 'bluesky'],
  kpis: [{ metric: 'impressions', target: 1_000_000_000 }],
  constraints: { require_approval: false, posts_per_day: 4 },
  duration_days: 300,
})
await until(
  'what was learned',
  async () => (await service.rest('GET', `/events?mission_id=${grown.id}&type=pipeline.job_completed`)).data.length > 3, // after a day it may be too early to say what works
)
await until('a failing endpoint', async () => (await service.rest('GET', `/webhooks/${endpoint}`)).status === 'failing')
await service.stop()
await service.start(1)
const written = await service.mission('Written', { ...(await service.later()), platforms: ['mastodon'] })

const button = (page, name) => page.getByRole('button', { name, exact: true })
const dialog = (page) => page.getByRole('dialog')
const said = (page, text) => page.getByRole('status').getByText(text).first().waitFor()
const main = (page) => page.getByRole('main')
let made = 0
let exported
const posts = (page) =>
  page
    .getByRole('region', { name: 'Posts' })
    .getByRole('row')
    .getByRole('link', { expanded: undefined })
    .and(page.locator('[aria-haspopup]'))
const most = async () =>
  (await service.posts('status=published&limit=100')).sort((a, b) => (b.metrics?.impressions ?? 0) - (a.metrics?.impressions ?? 0))
const get = (id) => service.rest('GET', `/content/${id}`)
const saved = (page) => page.waitForEvent('download').then(async (d) => readFileSync(await d.path(), 'utf8'))

journeys(service, {
  '12 an account is connected': {
    from: '/connections',
    given: async () => {
      for (const { id } of (await service.rest('GET', '/integrations')).data) await service.rest('DELETE', `/integrations/${id}`)
    },
    mouse: [
      5,
      async (m, page) => {
        await m.click(page.getByRole('region', { name: 'Mastodon' }).getByRole('button', { name: /^(Connect|Another account)/ }))
        await m.type(page.getByRole('textbox', { name: 'Server' }), mastodon.url)
        await m.click(button(page, 'Go to Mastodon'))
        await m.click(page.getByRole('button', { name: /^Go on to/ }))
        await m.click(button(page, 'Authorize'))
      },
    ],
    keyboard: [
      14, // two platforms stand before Mastodon that could not be connected before
      async (k, page) => {
        await k.click(page.getByRole('region', { name: 'Mastodon' }).getByRole('button', { name: /^(Connect|Another account)/ }))
        await k.type(mastodon.url)
        await k.press('Enter')
        await k.click(page.getByRole('button', { name: /^Go on to/ }))
        await k.click(button(page, 'Authorize'))
      },
    ],
    done: (page) => said(page, /^Connected\./),
  },
  '13 a failed post is understood, mended and sent again': {
    from: '/',
    given: async () => {
      mastodon.forbidden = /lottery/
      const p = await service.rest('POST', '/content', { mission_id: written.id, platform: 'mastodon', text: 'Win the lottery' })
      await service.rest('POST', `/content/${p.id}/reschedule`, { scheduled_at: new Date((await service.now()) + 1500).toISOString() })
      await service.rest('POST', `/content/${p.id}/approve`)
      await until('a failure', async () => (await get(p.id)).status === 'failed')
      return p
    },
    mouse: [
      4,
      async (m, page) => {
        await m.click(
          main(page)
            .getByRole('link', { name: /A post on Mastodon failed/ })
            .first(),
        )
        await shown(page, 'a word that this server does not allow')
        await m.click(button(page, 'Edit and try again'))
        await m.type(page.getByRole('textbox', { name: 'Text' }), 'Win a book')
        await m.click(button(page, 'Save'))
      },
    ],
    keyboard: [
      9,
      async (k, page) => {
        await k.click(
          main(page)
            .getByRole('link', { name: /A post on Mastodon failed/ })
            .first(),
        )
        await shown(page, 'a word that this server does not allow')
        await k.press('e', 'Control+a')
        await k.type('Win a book')
        await k.press('Control+Enter')
      },
    ],
    done: async (page, p) => {
      await until('it goes on', async () => (await get(p.id)).status !== 'failed')
      assert.equal((await get(p.id)).text, 'Win a book')
    },
  },
  '14 the best post is found, with its figures': {
    from: '/',
    mouse: [
      4,
      async (m, page) => {
        await m.click(page.getByRole('link', { name: 'Posts', exact: true }))
        await m.choose(page.getByRole('combobox', { name: 'Order' }), 'Most impressions')
        await page.waitForURL(/order=IMPRESSIONS/)
        await m.click(posts(page).first())
      },
    ],
    keyboard: [
      21,
      async (k, page) => {
        await k.press('g o')
        await k.to(page.getByRole('combobox', { name: 'Order' }))
        await k.press('ArrowDown', 'ArrowDown')
        await page.waitForURL(/order=IMPRESSIONS/)
        await k.click(posts(page).first())
      },
    ],
    done: async (page) => {
      // Figures move meanwhile: what was the best post is among the first.
      const visible = (p) => dialog(page).getByText(p.text.slice(0, 40)).first().isVisible()
      await until('one of the best posts', async () => (await Promise.all((await most()).slice(0, 5).map(visible))).some(Boolean))
      await dialog(page).getByRole('region', { name: 'Figures by age' }).waitFor()
    },
  },
  '15 what was learned is read': {
    from: '/',
    mouse: [1, (m, page) => m.click(main(page).getByRole('link', { name: /^Grown/ }))],
    keyboard: [
      8,
      async (k, page) => {
        await k.click(main(page).getByRole('link', { name: /^Grown/ }))
      },
    ],
    done: async (page) => {
      const claims = page.getByRole('list', { name: 'What works so far' })
      await claims.waitFor()
      await page.evaluate(() => scrollBy(0, innerHeight)) // a screen further
      const { y, height } = await claims.boundingBox()
      assert.ok(y >= 0 && y + height <= 900, `the claims are at ${y}`)
    },
  },
  '16 figures are exported': {
    from: '/',
    given: () => null,
    mouse: [
      2,
      async (m, page) => {
        const file = saved(page)
        await m.click(page.getByRole('link', { name: 'Analytics' }))
        await m.click(button(page, 'Export CSV'))
        exported = await file
      },
    ],
    keyboard: [
      4,
      async (k, page) => {
        const file = saved(page)
        await k.press('g a')
        await k.click(button(page, 'Export CSV'))
        exported = await file
      },
    ],
    done: () => assert.match(exported, /^date,posts,impressions/),
  },
  '17 a key is created': {
    from: '/settings/keys',
    mouse: [
      3,
      async (m, page) => {
        await m.click(button(page, 'New key'))
        await m.type(dialog(page).getByRole('textbox', { name: 'Name' }), 'A program')
        await m.click(button(page, 'Create key'))
      },
    ],
    keyboard: [
      14,
      async (k, page) => {
        await k.click(button(page, 'New key'))
        await k.type('A program')
        await k.press('Enter')
      },
    ],
    done: async (page) => assert.match(await page.getByRole('textbox', { name: 'The secret' }).inputValue(), /^msk_|^\w{20}/),
  },
  '18 a key is rotated': {
    from: '/settings/keys',
    given: async () => (await service.rest('POST', '/auth/keys', { name: `Rotated ${++made}` })).name,
    mouse: [
      3,
      async (m, page, name) => {
        await m.click(page.getByRole('button', { name: `Actions for ${name}` }))
        await m.click(page.getByRole('menuitem', { name: 'Rotate' }))
        await m.click(button(page, 'Rotate key'))
      },
    ],
    keyboard: [
      16,
      async (k, page, name) => {
        await k.click(page.getByRole('button', { name: `Actions for ${name}` }))
        await k.click(page.getByRole('menuitem', { name: 'Rotate' }), 'ArrowDown')
        await dialog(page).waitFor()
        await k.press('Control+Enter')
      },
    ],
    done: (page) => page.getByRole('textbox', { name: 'The secret' }).waitFor(),
  },
  '19 an endpoint is set up': {
    from: '/settings/webhooks',
    mouse: [
      3,
      async (m, page) => {
        await m.click(button(page, 'New endpoint'))
        await m.type(dialog(page).getByRole('textbox', { name: 'Address' }), `${hook}/new`)
        await m.click(button(page, 'Create endpoint'))
      },
    ],
    keyboard: [
      15,
      async (k, page) => {
        await k.click(button(page, 'New endpoint'))
        await k.type(`${hook}/new`)
        await k.press('Enter')
      },
    ],
    done: (page) => page.getByRole('textbox', { name: 'The secret' }).waitFor(),
  },
  '20 a failing endpoint is looked into, and tested': {
    from: '/',
    given: () => (mended = false),
    mouse: [
      3,
      async (m, page) => {
        await m.click(main(page).getByRole('link', { name: /webhook is failing/ }))
        await m.click(main(page).getByText('Post published').last())
        await shown(page, 'The receiver is being mended')
        mended = true
        await m.click(page.getByRole('button', { name: /^Send a test/ }))
      },
    ],
    keyboard: [
      18,
      async (k, page) => {
        await k.click(main(page).getByRole('link', { name: /webhook is failing/ }))
        mended = true
        await k.click(page.getByRole('button', { name: /^Send a test/ }))
      },
    ],
    done: (page) => said(page, /The test was accepted/),
  },
  '21 a member is removed': {
    from: '/settings/members',
    given: async () => {
      const name = `leaver${++made}@example.com`
      await fetch(`${service.url}/console/login`, {
        method: 'POST',
        redirect: 'manual',
        headers: { Origin: service.url },
        body: new URLSearchParams({ email: name, role: 'editor' }),
      })
      return name
    },
    mouse: [
      3,
      async (m, page, name) => {
        await m.click(page.getByRole('button', { name: `Actions for ${name}` }))
        await m.click(page.getByRole('menuitem', { name: 'Remove' }))
        await m.click(dialog(page).getByRole('button', { name: 'Remove' }))
      },
    ],
    keyboard: [
      19,
      async (k, page, name) => {
        await k.click(page.getByRole('button', { name: `Actions for ${name}` }))
        await k.press('r', 'Enter')
        await k.click(dialog(page).getByRole('button', { name: 'Remove' }))
      },
    ],
    done: async (page, name) => {
      await said(page, /^Removed/)
      await page.getByRole('button', { name: `Actions for ${name}` }).waitFor({ state: 'detached' })
    },
  },
  '22 the brand is changed': {
    from: '/settings/brand',
    given: () => `Plain and friendly ${++made}`,
    mouse: [
      2,
      async (m, page, voice) => {
        await m.type(page.getByRole('textbox', { name: 'Voice' }), voice)
        await m.click(button(page, 'Save'))
      },
    ],
    keyboard: [
      14,
      async (k, page, voice) => {
        await k.to(page.getByRole('textbox', { name: 'Voice' }))
        await k.press('Control+a')
        await k.type(voice)
        await k.press('Control+Enter')
      },
    ],
    done: async (page, voice) => {
      await said(page, /^Saved/)
      assert.equal((await service.rest('GET', '/tenant')).brand.voice, voice)
    },
  },
  '24 what became of posts since yesterday is read': {
    from: '/',
    mouse: [0, () => {}],
    keyboard: [0, () => {}],
    done: (page) => page.getByText(/^Since yesterday: \d+ published/).waitFor(),
  },
})
