import { memo, type PointerEvent } from 'react'
import { dateTime, time } from '../../core/format'
import { PlatformMark } from '../../ui/platform'
import { contentStatusName } from '../../ui/status'
import type { Item, Planned } from './items'

// Acts is what is done with a post. It is the same for as long as the grid is shown.
export type Acts = {
  open: (item: Item) => void
  // step reports whether a key moves the post.
  step: (item: Item, key: string) => boolean
  grab: (item: Item, e: PointerEvent<HTMLElement>) => void
  drag: (e: PointerEvent<HTMLElement>) => void
  drop: () => void
  leave: () => void
}

type Props = {
  item: Item
  zone: string
  mission?: string
  short?: boolean
  // tab says whether Tab leads to the card: within its cell alone.
  tab: boolean
  // movable says whether the person may move it.
  movable: boolean
  // dx and dy are how far it is dragged.
  dx?: number
  dy?: number
  acts: Acts
}

// Card is a post.
export const Card = memo(function Card({ item, zone, mission, short, tab, movable, dx, dy, acts }: Props) {
  const { post } = item
  const tone =
    post.error || post.status === 'EXPIRED' ? 'bad' : post.status === 'PENDING_REVIEW' ? 'warn' : post.status === 'PUBLISHED' ? 'ok' : ''
  const dragged = dx !== undefined
  return (
    <button
      type="button"
      className={`slot ${tone} ${short ? 'short' : ''} ${movable ? 'movable' : ''} ${dragged ? 'dragging' : ''}`}
      style={dragged ? { translate: `${dx}px ${dy}px` } : undefined}
      aria-keyshortcuts={movable ? 'Alt+ArrowLeft Alt+ArrowRight Alt+ArrowUp Alt+ArrowDown' : undefined}
      title={`${contentStatusName(post.status)}${mission ? ` · ${mission}` : ''}${movable ? ' · drag it, or Alt and the arrows, to move' : ''}`}
      data-post={post.id}
      onClick={() => acts.open(item)}
      onKeyDown={(e) => {
        if (!e.altKey || !acts.step(item, e.key)) return
        e.preventDefault()
      }}
      tabIndex={tab ? 0 : -1}
      {...(movable && {
        onPointerDown: (e) => acts.grab(item, e),
        onPointerMove: acts.drag,
        onPointerUp: acts.drop,
        onPointerCancel: acts.leave,
      })}
    >
      <PlatformMark platform={post.platform} about={contentStatusName(post.status)} />
      <span className="num time">{time(item.at, zone)}</span>
      <span className={short ? 'clip' : 'text'} dir="auto">
        {post.text}
      </span>
    </button>
  )
})

// How many slots a box names.
const named = 12

// Slots is one box for what is planned in a cell, whose posts aren't written yet.
export function Slots({
  slots,
  zone,
  names,
  short,
}: {
  slots: readonly Planned[]
  zone: string
  names: ReadonlyMap<string, string>
  short?: boolean
}) {
  const [first] = slots
  if (!first) return null
  const lines = slots.slice(0, named).map((s) => {
    const mission = names.get(s.missionId)
    return `Planned${mission ? ` by ${mission}` : ''}: ${dateTime(s.at, zone)}`
  })
  if (slots.length > named) lines.push(`and ${slots.length - named} more`)
  return (
    <div className={`slot planned num ${short ? 'short' : ''}`} title={lines.join('\n')}>
      {slots.length === 1 ? (
        <>
          {first.platform && <PlatformMark platform={first.platform} />}
          <span className="num">{time(first.at, zone)}</span>
          <span className="hidden">planned, not written yet</span>
        </>
      ) : (
        `${slots.length} planned`
      )}
    </div>
  )
}
