import { graphql, readInlineData } from 'react-relay'
import type { items_content$data, items_content$key } from '../../__generated__/items_content.graphql'
import type { Platform } from '../../core/enums'
import { dateOf } from '../../core/format'
import { clockIn } from '../../core/zone'

// A Place is where something stands in the calendar.
type Place = { key: string; at: number; day: string; hour: number; minute: number }

// An Item is a post. One that waits can be moved; what is going out or is out can't.
export type Item = Place & { kind: 'post'; post: items_content$data; movable: boolean }
export type Planned = Place & { kind: 'planned'; missionId: string; platform: Platform | null }

const waiting = ['PENDING_REVIEW', 'APPROVED', 'SCHEDULED']

const content = graphql`
  fragment items_content on Content @inline {
    id
    missionId
    platform
    accountHandle
    status
    text
    type
    scheduledAt
    publishedAt
    error {
      message
    }
  }
`

type Days = readonly {
  readonly posts: readonly (items_content$key & { readonly id: string })[]
  readonly planned: readonly { readonly missionId: string; readonly at: string; readonly platform?: Platform | null }[]
}[]

// itemsOf returns what is in the calendar's days, by time. Posts are placed by their
// own times: one that is moved stands at its new time before the service has said so.
export function itemsOf(days: Days, zone: string): (Item | Planned)[] {
  const place = (key: string, at: number): Place => ({ key, at, day: dateOf(at, zone), ...clockIn(at, zone) })
  const posts = new Map<string, Item>()
  for (const d of days) {
    for (const p of d.posts) {
      const post = readInlineData(content, p)
      const at = post.publishedAt ?? post.scheduledAt
      if (at) posts.set(post.id, { kind: 'post', post, movable: waiting.includes(post.status), ...place(post.id, Date.parse(at)) })
    }
  }
  const planned = days.flatMap((d) =>
    d.planned.map((s, i): Planned => ({
      kind: 'planned',
      missionId: s.missionId,
      platform: s.platform ?? null,
      ...place(`${s.missionId}${s.at}${i}`, Date.parse(s.at)),
    })),
  )
  return [...posts.values(), ...planned].sort((a, b) => a.at - b.at)
}
