import { useEffect, useRef } from 'react'
import { graphql, useFragment } from 'react-relay'
import { Link } from 'wouter'
import type { InboxRow_content$key } from '../../__generated__/InboxRow_content.graphql'
import { useNow } from '../../core/clock'
import { Icon } from '../../ui/icons'
import { PlatformMark } from '../../ui/platform'
import { Time, urgency } from '../../ui/time'

// InboxRow is a waiting post in the list.
export function InboxRow({
  content,
  current,
  picked,
  onPick,
}: {
  content: InboxRow_content$key
  current: boolean
  picked: boolean
  onPick?: () => void
}) {
  const c = useFragment(
    graphql`
      fragment InboxRow_content on Content {
        id
        platform
        accountHandle
        text
        parts
        revision
        createdAt
        expiresAt
        mission {
          id
          name
        }
      }
    `,
    content,
  )
  const now = useNow()
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (current) row.current?.scrollIntoView({ block: 'nearest' })
  }, [current])
  const pressing = c.expiresAt ? urgency(c.expiresAt, c.createdAt, now) : ''
  return (
    <li ref={row} className={`${current ? 'current' : ''} ${picked ? 'picked' : ''}`}>
      {onPick && (
        <label className="pick">
          <input type="checkbox" checked={picked} onChange={onPick} aria-label={`Select: ${c.text.slice(0, 60)}`} />
        </label>
      )}
      <Link href={`/inbox/${c.id}`} aria-current={current || undefined}>
        <span className="row">
          <PlatformMark platform={c.platform} />
          <span className="clip grow xsmall muted">{c.mission?.name ?? c.accountHandle}</span>
          {c.expiresAt && (
            <span className={`xsmall due ${pressing}`}>
              {pressing === 'bad' && <Icon name="clock" size={12} />} <Time at={c.expiresAt} ahead />
            </span>
          )}
        </span>
        <span className="snippet" dir="auto">
          {c.text}
        </span>
        {(c.parts.length > 1 || c.revision > 1) && (
          <span className="xsmall faint row">
            {c.parts.length > 1 && <span>thread of {c.parts.length}</span>}
            {c.revision > 1 && <span>revision {c.revision}</span>}
          </span>
        )}
      </Link>
    </li>
  )
}
