import { graphql, useFragment } from 'react-relay'
import { Link } from 'wouter'
import type { Running_mission$key } from '../../__generated__/Running_mission.graphql'
import { useNow } from '../../core/clock'
import { count, figure, span } from '../../core/format'
import { metricName } from '../../core/words'
import { Badge, Meter } from '../../ui/parts'
import { Health } from '../../ui/health'
import { PlatformMark } from '../../ui/platform'

// Running is a mission that is active, with where its targets stand.
export function Running({ mission }: { mission: Running_mission$key }) {
  const m = useFragment(
    graphql`
      fragment Running_mission on Mission {
        id
        name
        platforms
        endsAt
        estimatedPosts
        contentCounts {
          published
        }
        health {
          state
          message
        }
        kpiProgress {
          metric
          platform
          target
          current
          trend
          neededPerDay
        }
      }
    `,
    mission,
  )
  const now = useNow()
  return (
    <Link href={`/missions/${m.id}`} className="card running">
      <span className="row">
        <span className="strong clip">{m.name}</span>
        <span className="row marks">
          {m.platforms.slice(0, 5).map((p) => (
            <PlatformMark key={p} platform={p} />
          ))}
        </span>
        <Health of={m.health} />
        <span className="grow" />
        <span className="xsmall muted num nowrap">
          {count(m.contentCounts.published)}/{count(m.estimatedPosts)} posts
          {m.endsAt && Date.parse(m.endsAt) > now ? ` · ${span(Date.parse(m.endsAt) - now)} left` : ''}
        </span>
      </span>
      {m.kpiProgress.slice(0, 3).map((k) => {
        const reached = (k.current ?? 0) >= k.target
        return (
          <span key={k.metric + (k.platform ?? '')} className="kpi">
            <span className="small clip">{metricName(k.metric)}</span>
            <Meter label={metricName(k.metric)} value={k.current ?? 0} max={k.target} tone={reached ? 'ok' : ''} />
            <span className="xsmall num nowrap">
              {k.current == null ? '–' : figure(k.metric, k.current)} <span className="muted">of {figure(k.metric, k.target)}</span>
            </span>
            <span className="xsmall muted nowrap right">
              {reached ? (
                <Badge tone="ok">Reached</Badge>
              ) : k.trend === 'DECLINING' ? (
                <Badge tone="bad">Declining</Badge>
              ) : k.neededPerDay == null ? (
                ''
              ) : (
                `needs ${figure(k.metric, k.neededPerDay)}${k.metric === 'ENGAGEMENT_RATE' ? ' a post' : ' a day'}`
              )}
            </span>
          </span>
        )
      })}
    </Link>
  )
}
