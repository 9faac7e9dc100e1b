import { lazy, Suspense } from 'react'
import { graphql, useFragment } from 'react-relay'
import type { Kpis_mission$key } from '../../__generated__/Kpis_mission.graphql'
import { figure } from '../../app/format'
import { metricField, metricName } from '../../app/words'
import type { Point } from '../../ui/LineChart'
import { Badge, Card, Empty, Meter } from '../../ui/parts'
import { PlatformMark } from '../../ui/platform'

const LineChart = lazy(() => import('../../ui/LineChart'))

const trends = { IMPROVING: ['Improving', 'ok'], STEADY: ['Steady', ''], DECLINING: ['Declining', 'bad'] } as const

// Kpis is each target of a mission: where it stands, its course, and what is needed.
export function Kpis({ mission }: { mission: Kpis_mission$key }) {
  const m = useFragment(
    graphql`
      fragment Kpis_mission on Mission {
        endsAt
        constraints {
          timezone
        }
        kpiProgress {
          metric
          platform
          target
          current
          trend
          neededPerDay
          reportedBy
        }
        analytics(groupBy: DAY) {
          days {
            date
            metrics {
              engagementRate
              impressions
              clicks
              linkClicks
              likes
              comments
              shares
              followersGained
              reach
            }
          }
        }
      }
    `,
    mission,
  )
  if (m.kpiProgress.length === 0) {
    return <Card title="Targets"><Empty icon="target" title="No targets">A mission with a target says each day whether it will reach it. Add one in the brief.</Empty></Card>
  }
  return (
    <div className="kpis">
      {m.kpiProgress.map((k) => {
        const rate = k.metric === 'ENGAGEMENT_RATE'
        const points = k.platform ? [] : course(m.analytics?.days ?? [], metricField[k.metric], rate)
        const reached = k.current !== null && k.current !== undefined && k.current >= k.target
        const [word, tone] = trends[k.trend]
        return (
          <Card key={`${k.metric}${k.platform}`} title={<span className="row">{metricName(k.metric)} {k.platform && <PlatformMark platform={k.platform} />}</span>} aside={reached ? <Badge tone="ok">Reached</Badge> : <Badge tone={tone}>{word}</Badge>}>
            <div className="stack">
              <p className="now">
                <strong className="num">{k.current == null ? '–' : figure(k.metric, k.current)}</strong>
                <span className="muted"> of {figure(k.metric, k.target)}</span>
              </p>
              <Meter label={metricName(k.metric)} value={k.current ?? 0} max={k.target} tone={reached ? 'ok' : ''} text={`${figure(k.metric, k.current ?? 0)} of ${figure(k.metric, k.target)}`} />
              <p className="small muted">
                {k.reportedBy.length === 0
                  ? 'None of its platforms reports this figure.'
                  : reached
                    ? 'The target is reached.'
                    : k.neededPerDay == null
                      ? 'The mission is over.'
                      : rate
                        ? `The posts to come need ${figure(k.metric, k.neededPerDay)}.`
                        : `Needs ${figure(k.metric, k.neededPerDay)} a day until the end.`}
              </p>
              {points.length > 1 && <Suspense fallback={<div className="chart-place" />}><LineChart title={metricName(k.metric)} points={points} format={(v) => figure(k.metric, v)} target={k.target} until={rate ? undefined : (m.endsAt ?? undefined)} zone="UTC" /></Suspense>}
            </div>
          </Card>
        )
      })}
    </div>
  )
}

// course returns a figure's way from day to day: added up, or as a rate.
function course<K extends string>(days: readonly { date: string; metrics: { readonly [k in K]: number | null | undefined } }[], field: K, rate: boolean): Point[] {
  let sum = 0
  return days.flatMap((d) => {
    const v = d.metrics[field]
    if (v == null) return []
    sum += v
    return [{ at: `${d.date}T12:00:00Z`, value: rate ? v : sum }]
  })
}
