// Tier: full
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client, events, follow, missions, paginate } from '@missiond/client'
import { patience, serve } from './service.mjs'

const service = await serve(17280)
let subscribed
const subscription = new Promise((done) => (subscribed = done))
const client = new Client({
  url: service.url,
  key: service.key,
  fetch: (address, options) => {
    if (new Headers(options.headers).get('accept') === 'text/event-stream') subscribed()
    return fetch(address, options)
  },
})
const brief = {
  description: 'Our oldest lathe has run since 1954. Linseed oil keeps the wood warm. Legs are joined with wedges. Wool is spun upstream.',
  objectives: ['Test the client'],
  platforms: ['mastodon'],
  duration_days: 3,
  constraints: { posts_per_day: 2, require_approval: false },
}

test('a subscription survives that the service is killed', { timeout: 4 * patience }, async () => {
  const mission = await missions.create(client, { body: { ...brief, name: 'Followed' } })
  const got = []
  let kills = 0
  let lost = 0
  let alive = true
  const following = follow(client, { missionId: mission.id, onLost: () => lost++ })
  const first = following.next()
  await subscription // what is newest is known
  await missions.start(client, { id: mission.id })
  for (let next = await first; !next.done; next = await following.next()) {
    got.push(next.value)
    if (alive && got.length > 6 * (kills + 1) && kills < 2) {
      alive = false
      kills++
      await service.stop(kills === 1 ? 'SIGKILL' : 'SIGTERM')
      void service.start(17280).then(() => (alive = true))
    }
    if (next.value.type === 'mission.completed') break
  }
  const kept = []
  for await (const event of paginate(client, events.list, { mission_id: mission.id })) kept.unshift(event)
  const begin = kept.findIndex((event) => event.type === 'mission.started')
  const end = kept.findIndex((event) => event.type === 'mission.completed')
  assert.deepEqual(got, kept.slice(begin, end + 1), 'each event once, in order, and as the log has it')
  assert.equal(kills, 2)
  assert.ok(lost >= 2)

  const resumed = []
  const types = ['content.published', 'mission.completed']
  for await (const event of follow(client, { missionId: mission.id, types, after: got[2].id })) {
    resumed.push(event.id)
    if (event.type === 'mission.completed') break
  }
  assert.deepEqual(
    resumed,
    got
      .slice(3)
      .filter((event) => types.includes(event.type))
      .map((event) => event.id),
  )
})
