// Makes a mission, approves its posts as they are written, and ends with the first one
// that is published. MISSIOND_URL and MISSIOND_API_KEY name the service.
import { Client, content, follow, MissiondError, missions } from '@missiond/client'

const { MISSIOND_URL, MISSIOND_API_KEY } = process.env
if (!MISSIOND_URL || !MISSIOND_API_KEY) throw new Error('MISSIOND_URL and MISSIOND_API_KEY must be set')
const client = new Client({ url: MISSIOND_URL, key: MISSIOND_API_KEY })

/** approve approves a post, unless somebody has decided about it meanwhile. */
async function approve(id: string) {
  try {
    await content.approve(client, { id })
    console.log(`approved ${id}`)
  } catch (error) {
    if (!(error instanceof MissiondError && error.code === 'conflict')) throw error
  }
}

const mission = await missions.create(client, {
  body: {
    name: 'Published by the example',
    description: 'Version 2.0 is out. It opens files twice as fast.',
    objectives: ['Show what the client does'],
    platforms: ['mastodon'],
    duration_days: 7,
    constraints: { posts_per_day: 2, require_approval: true },
  },
})
console.log(`made ${mission.id}`)

const ended = new AbortController()
const following = follow(client, { missionId: mission.id, signal: AbortSignal.any([ended.signal, AbortSignal.timeout(120_000)]) })
const next = following.next() // it follows before the mission starts
await missions.start(client, { id: mission.id })
for (let { value, done } = await next; !done && value; { value, done } = await following.next()) {
  const id = String(value.data.content_id)
  if (value.type === 'content.review_requested') await approve(id)
  if (value.type === 'content.published') {
    const { text } = await content.read(client, { id })
    console.log(`published ${id}: ${text}`)
    break
  }
}
ended.abort()
