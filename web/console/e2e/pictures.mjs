// Takes the pictures of docs/pictures: each page, light and dark, wide and narrow, of a
// service whose missions have run for ten days. An argument is the folder to write to.
import { mkdirSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { launchBrowser, Service, settled } from './service.mjs'

const folder = path.resolve(process.argv[2] ?? '../../docs/pictures')
mkdirSync(folder, { recursive: true })

const day = 24 * 3600_000
// A day in four seconds.
const fast = 21_600

// The receiver of webhooks answers all but one path.
const receiver = http.createServer((request, response) => {
  request.resume()
  response.writeHead(request.url === '/crm' ? 503 : 204).end()
})
await new Promise((done) => receiver.listen(0, '127.0.0.1', done))
const hooks = `http://127.0.0.1:${receiver.address().port}`

const service = new Service()
let browser
try {
  await service.start(fast)
  const missions = await begin()
  for (let days = 10; ; days++) {
    await review(missions.hiring, Date.parse(missions.launch.starts_at) + days * day)
    // The rest is looked at in real time, unless what waited has expired meanwhile.
    await service.stop()
    await service.start(1)
    if ((await service.posts(`mission_id=${missions.hiring.id}&status=pending_review`)).length >= 3) break
    await service.stop()
    await service.start(fast)
  }
  await take(missions)
} finally {
  await browser?.close()
  await service.remove()
  receiver.close()
}

// begin creates what the pictures show.
async function begin() {
  await service.rest('POST', '/webhooks', { url: `${hooks}/data-warehouse`, events: ['content.published', 'mission.completed'] })
  await service.rest('POST', '/webhooks', { url: `${hooks}/crm`, events: ['content.published'] })
  const launch = await service.rest('POST', '/missions', {
    name: 'Kestrel 2.0 launch',
    description:
      'The Kestrel 2.0 is a trail camera that weighs 210 grams. It wakes in a tenth of a second. ' +
      'The battery lasts a winter at twenty pictures a night. The new lens sees a fox at thirty metres in starlight. ' +
      'Pictures arrive on the phone wherever a farm has signal. The strap holds on beech, pine and fence posts. ' +
      'Rangers in the Harz carried forty of them for a year. Snow slides off the hood before it freezes. ' +
      'A spare door costs less than a pizza. The card holds 60,000 pictures. We repair every Kestrel since the first. ' +
      'Ask for a loan camera for a week.',
    objectives: ['Announce Kestrel 2.0', 'Show what a week in the field looks like', 'Win testers for the spring range'],
    platforms: ['twitter', 'linkedin', 'mastodon', 'threads'],
    kpis: [
      { metric: 'impressions', target: 120_000 },
      { metric: 'engagement_rate', target: 4 },
      { metric: 'link_clicks', target: 900, platform: 'linkedin' },
    ],
    constraints: { posts_per_day: 4, tone: 'friendly' },
    duration_days: 28,
    start_immediately: true,
  })
  const hiring = await service.rest('POST', '/missions', {
    name: 'Hiring: firmware engineers',
    description:
      'We have two openings for firmware engineers, one in Leipzig and one remote. The team is nine people and a dog. ' +
      'Firmware ships every second Tuesday. Each board is on the desk of the person who writes for it. ' +
      'Fridays are for the forest, with what we built. Our code is C and a little Rust. ' +
      'Interviews take an hour and have no puzzles. We answer every letter within a week. ' +
      'The salary is in the advertisement.',
    objectives: ['Find firmware engineers who like the outdoors', 'Explain how the team works'],
    platforms: ['linkedin', 'mastodon'],
    kpis: [{ metric: 'link_clicks', target: 400 }],
    constraints: { posts_per_day: 3, tone: 'professional', require_approval: true },
    duration_days: 21,
    start_immediately: true,
  })
  const newsletter = await service.rest('POST', '/missions', {
    name: 'Field notes newsletter',
    description:
      'Field notes come once a month. Each has three pictures from a reader and how they were taken. ' +
      'In May a badger moved into a cellar in Jena. The editor walks the same valley every week since 2011. ' +
      'There are no advertisements in it. Old issues stay online. Readers in nine countries send in tracks to name. ' +
      'Every autumn the best of them become a calendar.',
    objectives: ['Bring readers to the monthly field notes'],
    platforms: ['bluesky', 'threads'],
    kpis: [{ metric: 'likes', target: 600 }],
    constraints: { posts_per_day: 2 },
    duration_days: 30,
    start_immediately: true,
  })
  const festival = await service.rest('POST', '/missions', {
    name: 'Night sky festival',
    description:
      'The night sky festival is on the hill above Weimar. The lights of the town go out at ten. ' +
      'Forty telescopes stand in the meadow. Children look first. Soup and blankets are there until dawn. ' +
      'The last bus goes back at two. Saturn is up from eleven on. A ticket costs 14 euros.',
    objectives: ['Sell the last 200 tickets'],
    platforms: ['threads', 'facebook'],
    kpis: [{ metric: 'reach', target: 20_000 }],
    constraints: { posts_per_day: 2 },
    duration_days: 5,
    start_immediately: true,
  })
  await service.rest('POST', '/missions', {
    name: 'Winter catalogue',
    objectives: ['Present the winter range'],
    platforms: ['threads', 'pinterest'],
    constraints: { posts_per_day: 2, require_approval: true },
    duration_days: 14,
  })
  return { launch, hiring, newsletter, festival }
}

// review approves a mission's posts as they come, until a time of the service's clock.
async function review(mission, end) {
  for (;;) {
    const posts = await service.posts(`mission_id=${mission.id}&status=pending_review`)
    const now = await service.now()
    if (now >= end && posts.length >= 3) return
    if (now < end - day) {
      for (const p of posts) await service.rest('POST', `/content/${p.id}/approve`).catch(() => {}) // it may have expired meanwhile
    }
    await new Promise((done) => setTimeout(done, 200))
  }
}

// take takes the pictures.
async function take({ launch, hiring, newsletter }) {
  await service.rest('POST', `/missions/${newsletter.id}/pause`)
  const [post] = await service.posts(`mission_id=${hiring.id}&status=pending_review`)
  const published = await service.posts(`mission_id=${launch.id}&status=published&order=impressions&limit=20`)
  const out = published.find((p) => !/\p{Extended_Pictographic}/u.test(p.text)) ?? published[0]
  const pages = {
    home: '/',
    missions: '/missions',
    'new-mission': '/missions/new',
    mission: `/missions/${launch.id}`,
    posts: `/missions/${launch.id}/posts`,
    cycles: `/missions/${launch.id}/cycles`,
    'all-posts': '/posts?state=published&order=IMPRESSIONS',
    post: `/posts/${out.id}`,
    compose: '/calendar',
    inbox: `/inbox?post=${post.id}`,
    replies: '/replies',
    calendar: '/calendar',
    month: '/calendar?view=month',
    analytics: '/analytics',
    activity: '/activity',
    connections: '/connections',
    webhooks: '/settings/webhooks',
    usage: '/settings/usage',
    audit: '/settings/audit',
  }
  browser = await launchBrowser()
  for (const mode of ['light', 'dark']) {
    for (const [form, viewport] of Object.entries({ wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 844 } })) {
      const context = await browser.newContext({
        viewport,
        colorScheme: mode,
        locale: 'en-GB',
        timezoneId: 'Europe/Berlin',
        reducedMotion: 'reduce',
      })
      await context.request.post(`${service.url}/console/login`, {
        form: { as: 'demo' },
        headers: { Origin: service.url },
        maxRedirects: 0,
      })
      const page = await context.newPage()
      for (const [name, route] of Object.entries(pages)) {
        await page.goto(`${service.url}/console${route}`)
        await settled(page)
        if (name === 'new-mission') await fill(page)
        if (name === 'compose') await write(page)
        await page.screenshot({ path: path.join(folder, `${name}-${mode}-${form}.jpg`), type: 'jpeg', quality: 82 })
      }
      await context.close()
    }
  }
}

// fill types the beginning of a brief, and waits for what comes of it.
async function fill(page) {
  await page.getByLabel('Name', { exact: true }).fill('Spring range')
  await page.getByLabel('Objectives').fill('Present the spring range')
  for (const name of ['LinkedIn', 'Mastodon']) await page.getByRole('main').getByText(name, { exact: true }).first().click()
  await page.getByRole('list', { name: 'First posts' }).waitFor({ state: 'attached' })
  await page.evaluate(() => scrollTo(0, 0))
}

// write begins a post, as its platforms will show it.
async function write(page) {
  await page.keyboard.press('n')
  const dialog = page.getByRole('dialog', { name: 'Write a post' })
  await dialog.getByRole('combobox', { name: 'Mission' }).selectOption('Kestrel 2.0 launch')
  await dialog
    .getByRole('textbox', { name: 'Text', exact: true })
    .fill(
      'Kestrel 2.0 is out: half the weight, twice the nights on one charge. We took it to the Harz for a week.\n\nhttps://www.example.com/kestrel',
    )
  await dialog.getByRole('status').getByText('next free slot').waitFor()
}
