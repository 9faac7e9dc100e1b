// Every page of the console, and services to look at them: an empty one, and one with data.
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
export const pages = ({ mission = 'msn_none', post = 'cnt_none', webhook = 'whk_none' } = {}) => [
  { path: '/' },
  { path: `/inbox/${post}` },
  { path: '/missions' },
  { path: '/missions/new' },
  ...['', '/posts', '/cycles', '/brief'].map((tab) => ({ path: `/missions/${mission}${tab}` })),
  { path: '/calendar' },
  { path: '/calendar?view=month' },
  { path: '/calendar', name: 'a post’s drawer', open: (page) => page.locator('[data-post]').first().click() },
  { path: '/calendar', name: 'writing a post', open: (page) => page.getByRole('button', { name: 'Write a post', exact: true }).click() },
  { path: '/analytics' },
  { path: '/analytics?by=mission' },
  { path: '/activity' },
  { path: '/activity?kind=figures' },
  { path: '/connections' },
  ...['brand', 'members', 'keys', 'webhooks', 'usage', 'sessions', 'audit', 'tenant'].map((tab) => ({ path: `/settings/${tab}` })),
  { path: `/settings/webhooks/${webhook}` },
  { path: `/settings/webhooks/${webhook}`, name: 'a delivery', open: (page) => page.locator('summary.hook').first().click() },
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
  await service.rest('POST', `/content/${other.id}/reject`, { reason: 'Off brand' })
  return { mission: mission.id, post: post.id, webhook: webhook.id }
}
