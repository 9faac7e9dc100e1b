// Every page of the console, and services to look at them: an empty one, and one with data.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { until } from './service.mjs'

const source = (file) => readFileSync(new URL(`../src/${file}`, import.meta.url), 'utf8')

// routes are the paths of the console, with its tabs, as its sources have them.
export function routes() {
  const all = [...source('frame/routes.tsx').matchAll(/ route\('([^']+)'/g)].map((m) => m[1])
  const missions = [...source('pages/mission/Mission.tsx').matchAll(/^ {2}\['(\w*)', '/gm)].map((m) => `/missions/:id/${m[1]}`)
  const settings = [...source('pages/settings/Settings.tsx').matchAll(/{ path: '(\w+)'/g)].map((m) => `/settings/${m[1]}`)
  return [...all, ...missions, ...settings, '/settings/webhooks/:id']
}

// matches reports whether a path is one of a route, whose parts with a colon are any, and may
// be absent with a question mark.
export function matches(route, path) {
  const pattern = route
    .replace(/\/:\w+\?/g, '(/[^/]+)?')
    .replace(/:\w+/g, '[^/]+')
    .replace(/\/$/, '/?')
  return new RegExp(`^${pattern}$`).test(path.split('?')[0])
}

// pages returns every page that a service has, by its path, and what else is opened on some.
export const pages = ({ mission = 'msn_none', reviewed = mission, post = 'cnt_none', webhook = 'whk_none' } = {}) => [
  { path: '/' },
  { path: `/inbox/${post}` },
  { path: '/replies' },
  { path: '/missions' },
  { path: '/missions/new' },
  ...['', '/posts', '/cycles'].map((tab) => ({ path: `/missions/${mission}${tab}` })),
  ...['/review', '/brief'].map((tab) => ({ path: `/missions/${reviewed}${tab}` })),
  { path: `/missions/${mission}/cycles`, name: 'a cycle', open: (page) => page.locator('button.disclose').first().click() },
  { path: '/posts' },
  { path: `/posts/${post}` },
  { path: '/calendar' },
  { path: '/calendar?view=month' },
  { path: '/calendar', name: 'a post’s drawer', open: (page) => page.locator('[data-post]').first().click() },
  { path: '/calendar', name: 'writing a post', open: (page) => page.getByRole('button', { name: 'Write a post', exact: true }).click() },
  { path: '/library' },
  { path: '/library', name: 'a file', open: (page) => page.locator('.tile').first().click() },
  { path: '/analytics' },
  { path: '/analytics?by=mission' },
  { path: '/activity' },
  { path: '/activity?kind=figures' },
  { path: '/connections' },
  { path: '/agents/authorize' },
  ...['brand', 'members', 'keys', 'agents', 'webhooks', 'own', 'usage', 'sessions', 'audit', 'tenant'].map((tab) => ({
    path: `/settings/${tab}`,
  })),
  { path: `/settings/webhooks/${webhook}` },
  { path: `/settings/webhooks/${webhook}`, name: 'a delivery', open: (page) => page.locator('button.disclose').first().click() },
]

// fill starts a service with missions that have posts in every usual state, a target that is
// reached and an endpoint that fails, in real time by then, and returns their ids.
export async function fill(service) {
  await service.start(3600)
  const webhook = await service.rest('POST', '/webhooks', {
    url: 'http://127.0.0.1:9/nobody',
    events: ['content.published', 'analytics.kpi_achieved', 'mission.started'],
  })
  const mission = await service.mission('Full of everything', {
    platforms: ['mastodon', 'linkedin', 'bluesky'],
    kpis: [
      { metric: 'likes', target: 1 },
      { metric: 'impressions', target: 900_000, platform: 'mastodon' },
    ],
    constraints: { require_approval: false, posts_per_day: 6 },
    duration_days: 365,
  })
  await until('a target that is reached', async () => (await service.rest('GET', '/events?type=analytics.kpi_achieved')).data.length > 0)
  await until('a delivery', async () => (await service.rest('GET', `/webhooks/${webhook.id}/deliveries`)).data.length > 0)
  await service.stop()
  await service.start(1)
  const reviewed = await service.mission('Reviewed', { platforms: ['mastodon', 'twitter'], ...(await service.later()) })
  const [post, other] = await service.written(reviewed, 3)
  const door = await service.picture('A red door')
  await service.rest('PUT', `/missions/${reviewed.id}`, { media_ids: [door.id], autonomy: { earned: { after: 2, share: 0.5 } } })
  await service.rest('POST', `/missions/${reviewed.id}/review_links`, { name: 'Acme', expires_in_hours: 72, may_decide: true })
  await service.rest('POST', `/content/${other.id}/reject`, { reason: 'Off brand' })
  return { mission: mission.id, reviewed: reviewed.id, post: post.id, webhook: webhook.id }
}

// crowd gives a service 5,000 posts, twenty on each day from now on, of five missions. Those of two
// missions wait for review.
export async function crowd(service) {
  const minute = 60_000
  const from = (await service.now()) + 120 * minute
  const platforms = ['mastodon', 'linkedin', 'bluesky', 'twitter']
  for (let n = 0; n < 5; n++) {
    const mission = await service.mission(`Crowded ${n}`, {
      platforms,
      constraints: { require_approval: n < 2, posts_per_day: 10 },
      duration_days: 300,
    })
    const posts = Array.from({ length: 1000 }, (_, i) => ({
      platform: platforms[i % platforms.length],
      text: `Post ${i} of mission ${n}: a text of a usual length, that says what is new and where to read about it.`,
      scheduled_at: new Date(from + (5 * i + n) * 72 * minute).toISOString(),
    }))
    const response = await fetch(`${service.url}/v1/content/import?mission_id=${mission.id}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/x-ndjson' },
      body: posts.map((p) => JSON.stringify(p)).join('\n'),
    })
    assert.ok(response.ok, await response.text())
  }
  // Their first cycles are over once nothing happens for a while.
  const latest = async () => (await service.rest('GET', '/events?limit=1')).data[0].id
  await until('quiet', async () => {
    const before = await latest()
    await new Promise((done) => setTimeout(done, 1000))
    return (await latest()) === before
  })
}
