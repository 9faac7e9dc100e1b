import { graphql, useFragment } from 'react-relay'
import { Link } from 'wouter'
import type { Entry_event$key } from '../../__generated__/Entry_event.graphql'
import type { EventType } from '../../core/enums'
import { figure, readable, time } from '../../core/format'
import type { Json } from '../../core/json'
import { table } from '../../core/table'
import { eventName, metricName, stageName } from '../../core/words'
import { Icon, type IconName } from '../../ui/icons'
import { PlatformMark, platformIn } from '../../ui/platform'
import { PostLink } from '../../ui/post/PostLink'

// Entry is an event in words, with where it happened.
export function Entry({ event }: { event: Entry_event$key }) {
  const e = useFragment(
    graphql`
      fragment Entry_event on Event {
        id
        type
        createdAt
        data
        content {
          id
          text
        }
        mission {
          id
          name
        }
      }
    `,
    event,
  )
  const platform = platformIn(e.data)
  const about = detail(e.data)
  return (
    <li className="entry">
      <span className={`glyph ${tone(e.type)}`}>
        <Icon name={icon(e.type)} size={14} />
      </span>
      <span className="grow">
        <span className="row wrap">
          <span className="strong">{eventName(e.type)}</span>
          {platform && <PlatformMark platform={platform} />}
          {about && <span className="muted clip">{about}</span>}
        </span>
        {e.content && (
          <PostLink id={e.content.id} className="link small clip" dir="auto">
            {e.content.text}
          </PostLink>
        )}
        {e.mission && (
          <Link href={`/missions/${e.mission.id}`} className="link small">
            {e.mission.name}
          </Link>
        )}
      </span>
      <time className="xsmall muted num nowrap" dateTime={e.createdAt}>
        {time(e.createdAt)}
      </time>
    </li>
  )
}

const tone = (t: EventType) =>
  /FAILED|EXPIRED|REJECTED/.test(t)
    ? 'bad'
    : /EXPIRING|HELD|ANOMALY|PAUSED/.test(t)
      ? 'warn'
      : /PUBLISHED|ACHIEVED|JOB_COMPLETED|MISSION_COMPLETED/.test(t)
        ? 'ok'
        : ''

function icon(t: EventType): IconName {
  if (/FAILED|EXPIRED|EXPIRING|HELD/.test(t)) return 'warn'
  if (t.startsWith('MISSION_')) return t === 'MISSION_PAUSED' ? 'pause' : 'mission'
  if (t.startsWith('PIPELINE_')) return 'activity'
  if (t.startsWith('REPLY_')) return 'reply'
  if (t.startsWith('ANALYTICS_')) return t === 'ANALYTICS_KPI_ACHIEVED' ? 'target' : 'chart'
  return posts(t)
}

const posts = table<string, IconName>(
  {
    CONTENT_CREATED: 'edit',
    CONTENT_APPROVED: 'check',
    CONTENT_REJECTED: 'x',
    CONTENT_SCHEDULED: 'clock',
    CONTENT_PUBLISHED: 'out',
    CONTENT_CANCELED: 'x',
  },
  () => 'info',
)

// detail says what an event's payload adds to its name.
function detail(d: Json): string {
  const { message } = (d.error ?? d.reason ?? {}) as { message?: string }
  if (message) return readable(message)
  if (typeof d.stage === 'string') return `${stageName(d.stage.toUpperCase())}, cycle ${String(d.cycle ?? '')}`
  if (typeof d.metric === 'string' && typeof d.target === 'number') {
    const metric = d.metric.toUpperCase()
    return `${metricName(metric)} ${figure(metric, d.target)}`
  }
  return typeof d.cycle === 'number' ? `cycle ${d.cycle}` : ''
}
