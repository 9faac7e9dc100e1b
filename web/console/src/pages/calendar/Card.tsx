import type { HTMLAttributes } from 'react'
import { dateTime, time } from '../../core/format'
import { PlatformMark, platformName } from '../../ui/platform'
import { contentStatusName } from '../../ui/status'
import type { Item, Planned } from './items'

type Props = {
  item: Item | Planned
  zone: string
  mission?: string
  short?: boolean
  // tab says whether Tab leads to the card: within its cell alone.
  tab: boolean
  dragging?: { dx: number; dy: number }
  onOpen: () => void
  onStep: (key: string) => boolean
  handlers: HTMLAttributes<HTMLElement>
}

// Card is a post, or a slot whose post isn't written yet.
export function Card({ item, zone, mission, short, tab, dragging, onOpen, onStep, handlers }: Props) {
  if (item.kind === 'planned') {
    return (
      <div
        className={`slot planned ${short ? 'short' : ''}`}
        title={`Planned${mission ? ` by ${mission}` : ''}: ${dateTime(item.at, zone)}`}
      >
        {item.platform && <PlatformMark platform={item.platform} />}
        <span className="num">{time(item.at, zone)}</span>
        <span className="hidden">planned, not written yet</span>
      </div>
    )
  }
  const { post } = item
  const tone =
    post.error || post.status === 'EXPIRED' ? 'bad' : post.status === 'PENDING_REVIEW' ? 'warn' : post.status === 'PUBLISHED' ? 'ok' : ''
  return (
    <button
      type="button"
      className={`slot ${tone} ${short ? 'short' : ''} ${item.movable ? 'movable' : ''} ${dragging ? 'dragging' : ''}`}
      style={dragging && { translate: `${dragging.dx}px ${dragging.dy}px` }}
      aria-keyshortcuts={item.movable ? 'Alt+ArrowLeft Alt+ArrowRight Alt+ArrowUp Alt+ArrowDown' : undefined}
      title={`${contentStatusName(post.status)}${mission ? ` · ${mission}` : ''}${item.movable ? ' · drag it, or Alt and the arrows, to move' : ''}`}
      data-post={post.id}
      onClick={onOpen}
      onKeyDown={(e) => {
        if (!e.altKey || !onStep(e.key)) return
        e.preventDefault()
      }}
      tabIndex={tab ? 0 : -1}
      {...handlers}
    >
      <PlatformMark platform={post.platform} quiet />
      <span className="num time">{time(item.at, zone)}</span>
      <span className="hidden">
        {platformName(post.platform)}, {contentStatusName(post.status)}:
      </span>
      {short ? <span className="clip">{post.text}</span> : <span className="text">{post.text}</span>}
    </button>
  )
}
