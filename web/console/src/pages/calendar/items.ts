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

// itemsIn returns how what is in a zone's calendar is read, by time. An item that hasn't changed is
// the same object again: what is drawn of it isn't drawn anew.
export function itemsIn(zone: string) {
  let known = new Map<string, Item | Planned>()
  return (days: Days): (Item | Planned)[] => {
    const now: typeof known = new Map()
    const once = <T>(of: T, at: string, make: (of: T, place: Place) => Item | Planned) => {
      const key = JSON.stringify(of)
      now.set(key, known.get(key) ?? make(of, { key, at: Date.parse(at), day: dateOf(at, zone), ...clockIn(Date.parse(at), zone) }))
    }
    for (const d of days) {
      for (const p of d.posts) {
        // Posts are placed by their own times: one that is moved stands at its new time before
        // the service has said so.
        const post = readInlineData(content, p)
        const at = post.publishedAt ?? post.scheduledAt
        if (at) once(post, at, (post, place) => ({ kind: 'post', post, movable: waiting.includes(post.status), ...place, key: post.id }))
      }
      for (const s of d.planned)
        once(s, s.at, ({ missionId, platform = null }, place) => ({ kind: 'planned', missionId, platform, ...place }))
    }
    known = now
    return [...now.values()].sort((a, b) => a.at - b.at)
  }
}

// partOf returns the posts and the planned slots among items.
export const partOf = (items: readonly (Item | Planned)[] = []) => ({
  posts: items.filter((i) => i.kind === 'post'),
  planned: items.filter((i) => i.kind === 'planned'),
})
