import { graphql } from 'react-relay'
import type { useMoveMutation } from '../../__generated__/useMoveMutation.graphql'
import { useAction } from '../../core/action'
import { serviceNow } from '../../core/clock'
import { dateTime } from '../../core/format'
import { toast } from '../../core/toast'
import type { Item } from './items'

const mutation = graphql`
  mutation useMoveMutation($id: ID!, $at: DateTime!) @raw_response_type {
    rescheduleContent(id: $id, scheduledAt: $at) {
      content {
        id
        status
        scheduledAt
        updatedAt
      }
    }
  }
`

// Movable is a post at its time.
type Movable = { at: number; post: Pick<Item['post'], 'id' | 'status'> }

// A Move reports whether the service is asked to move the post.
export type Move = (item: Item, at: number) => boolean

// useMove returns how a post is moved to another time: it stands there at once, and
// goes back if the service refuses. The message can be undone.
export function useMove(zone: string): (item: Movable, at: number) => boolean {
  const [run] = useAction<useMoveMutation>(mutation)
  const move = (item: Movable, at: number, back?: boolean) => {
    if (at === item.at && !back) return false
    if (at <= serviceNow()) {
      toast('That time has passed. Choose a later one.', { tone: 'bad' })
      return false
    }
    const scheduledAt = new Date(at).toISOString()
    const { id, status } = item.post
    run({
      variables: { id, at: scheduledAt },
      optimistic: { rescheduleContent: { content: { id, status, scheduledAt, updatedAt: new Date(serviceNow()).toISOString() } } },
      done: () =>
        toast(
          `${back ? 'Moved back to' : 'Moved to'} ${dateTime(at, zone)}.`,
          back ? {} : { action: { label: 'Undo', run: () => void move(item, item.at, true) } },
        ),
    })
    return true
  }
  return (item, at) => move(item, at)
}
