// A mission from its making to its first post: it is made and starts at once,
// its posts are approved as they are written, and one is published.

import {
  ApproveDocument,
  CreateMissionDocument,
  MissionStatusDocument,
  PostDocument,
  PostsToReviewDocument,
  type HappeningFragment,
  type PostQuery,
} from './api.js'
import type { Client } from './client.js'
import { run } from './program.js'

type Post = NonNullable<PostQuery['content']>

async function demo(client: Client): Promise<void> {
  const { createMission } = await client.request(CreateMissionDocument, {
    input: {
      name: 'Hello from TypeScript',
      description:
        'We repair bicycles in Leith. Most punctures are done while you wait. A full service takes two days. ' +
        'Bring your bike before ten.',
      objectives: ['Win customers for spring'],
      platforms: ['MASTODON', 'LINKEDIN'],
      constraints: { postsPerDay: 2, tone: 'friendly', requireApproval: true },
      durationDays: 2,
      startImmediately: true,
    },
  })
  const { id, name } = createMission.mission
  console.log(`Made the mission "${name}", ${id}.`)
  const post = await Promise.race([firstPublished(client, id), approveAll(client, id)])
  console.log(`\nOn ${post.platform}, at ${post.platformUrl ?? 'no address'}:\n\n${indented(post.text)}\n`)
}

/** Tells of the mission's events until one of its posts is published, and answers that. */
async function firstPublished(client: Client, missionId: string): Promise<Post> {
  for await (const event of client.events(missionId)) {
    console.log(`${time(event.createdAt)}  ${sentence(event)}`)
    if (event.type === 'CONTENT_PUBLISHED') {
      return (await client.request(PostDocument, { id: String(event.data.content_id) })).content
    }
  }
  throw new Error('The events ended before a post was published.')
}

/** Tells how far the mission is, and approves the posts that wait for review, for as long as it runs. */
async function approveAll(client: Client, missionId: string): Promise<never> {
  for await (const { missionStatus } of client.subscribe(MissionStatusDocument, () => ({ id: missionId }))) {
    const { pipeline, content } = missionStatus
    const stage = (pipeline.currentStage ?? 'waiting').toLowerCase()
    const counts = `${content.generated} written, ${content.pendingReview} to review, ${content.scheduled} scheduled, ${content.published} published`
    console.log(`${String(pipeline.progressPercent).padStart(12)} %  ${stage}: ${counts}`)
    if (content.pendingReview > 0) await approveWaiting(client, missionId)
  }
  throw new Error("The mission's status ended before a post was published.")
}

async function approveWaiting(client: Client, missionId: string): Promise<void> {
  const { contents } = await client.request(PostsToReviewDocument, { missionId })
  const ids = contents.edges.map(({ node }) => node.id)
  if (ids.length === 0) return // somebody was faster
  const { approveContents } = await client.request(ApproveDocument, { ids })
  console.log(`${''.padStart(14)}  approved for ${approveContents.contents.map((post) => post.platform.toLowerCase()).join(' and ')}`)
}

/** Says what happened. /v1/event-types has the schema of each type's data. */
function sentence({ type, data }: HappeningFragment): string {
  const platform = String(data.platform)
  switch (type) {
    case 'MISSION_CREATED':
      return 'The mission was made.'
    case 'MISSION_STARTED':
      return 'Its pipeline started.'
    case 'PIPELINE_STAGE_COMPLETED':
      return `The stage ${String(data.stage)} is done.`
    case 'CONTENT_CREATED':
      return `A post for ${platform} was written.`
    case 'CONTENT_APPROVED':
      return `The post for ${platform} was approved.`
    case 'CONTENT_SCHEDULED':
      return `The post for ${platform} got its slot.`
    case 'CONTENT_PUBLISHED':
      return `The post for ${platform} is out.`
    case 'CONTENT_FAILED':
      return `Publishing the post for ${platform} failed.`
    default:
      return type.toLowerCase().replaceAll('_', ' ')
  }
}

/** A time of the mission's clock, which may run faster than ours. */
const time = (at: string) => at.slice(5, 16).replace('T', ' ').padStart(14)

const indented = (text: string) => text.replaceAll(/^/gm, '    ')

await run(demo, (why) => console.log(`The connection was lost (${why}). Trying again.`))
