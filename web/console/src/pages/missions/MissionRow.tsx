import { graphql, useFragment } from 'react-relay'
import { Link } from 'wouter'
import type { MissionRow_mission$key } from '../../__generated__/MissionRow_mission.graphql'
import { useNow } from '../../core/clock'
import { count, dayShort, figure } from '../../core/format'
import { metricName } from '../../core/words'
import { Meter } from '../../ui/parts'
import { PlatformMark } from '../../ui/platform'
import { Health } from '../../ui/health'
import { MissionBadge } from '../../ui/status'
import { Due, overdue } from '../../ui/due'

// NextDue is when a mission's next post goes out.
function NextDue(due: { at: string; platforms: readonly string[]; zone: string }) {
  const now = useNow()
  return (
    <>
      {!overdue(due.at, now) && 'next '}
      <Due {...due} />
    </>
  )
}

// MissionRow is a mission in a list: how far it is, and what comes next.
export function MissionRow({ mission }: { mission: MissionRow_mission$key }) {
  const m = useFragment(
    graphql`
      fragment MissionRow_mission on Mission {
        id
        name
        status
        platforms
        startsAt
        endsAt
        nextPublishAt
        estimatedPosts
        health {
          state
          message
        }
        constraints {
          timezone
        }
        contentCounts {
          published
          scheduled
          pendingReview
        }
        kpiProgress {
          metric
          platform
          target
          current
        }
      }
    `,
    mission,
  )
  const kpi = m.kpiProgress[0]
  const zone = m.constraints.timezone
  return (
    <li>
      <Link href={`/missions/${m.id}`} className="mission-row">
        <span className="name">
          <span className="strong clip">{m.name}</span>
          <span className="row marks">
            {m.platforms.slice(0, 6).map((p) => (
              <PlatformMark key={p} platform={p} />
            ))}
          </span>
        </span>
        <span className="row wrap">
          <MissionBadge status={m.status} />
          {m.status === 'ACTIVE' && <Health of={m.health} />}
        </span>
        <span className="share">
          <span className="xsmall muted num">
            {count(m.contentCounts.published)} of about {count(m.estimatedPosts)} posts
          </span>
          <Meter label="Published" value={m.contentCounts.published} second={m.contentCounts.scheduled} max={m.estimatedPosts} />
        </span>
        <span className="share">
          {kpi ? (
            <>
              <span className="xsmall muted num clip">
                {metricName(kpi.metric)} {kpi.current == null ? '–' : figure(kpi.metric, kpi.current)} of {figure(kpi.metric, kpi.target)}
              </span>
              <Meter
                label={metricName(kpi.metric)}
                value={kpi.current ?? 0}
                max={kpi.target}
                tone={(kpi.current ?? 0) >= kpi.target ? 'ok' : ''}
              />
            </>
          ) : (
            <span className="xsmall faint">no target</span>
          )}
        </span>
        <span className="when xsmall muted">
          {m.contentCounts.pendingReview > 0 && <span className="badge warn plain">{count(m.contentCounts.pendingReview)} to review</span>}
          <span>
            {m.status === 'ACTIVE' && m.nextPublishAt ? (
              <NextDue at={m.nextPublishAt} platforms={m.platforms} zone={zone} />
            ) : m.status === 'COMPLETED' && m.endsAt ? (
              <>ended {dayShort(m.endsAt, zone)}</>
            ) : m.status === 'DRAFT' && m.startsAt ? (
              <>starts {dayShort(m.startsAt, zone)}</>
            ) : m.endsAt ? (
              <>ends {dayShort(m.endsAt, zone)}</>
            ) : null}
          </span>
        </span>
      </Link>
    </li>
  )
}
