import { lazy, Suspense } from 'react'
import { graphql, useFragment } from 'react-relay'
import type { Kpis_mission$key } from '../../__generated__/Kpis_mission.graphql'
import { Boundary } from '../../ui/Boundary'
import { figure } from '../../core/format'
import type { Trend } from '../../core/enums'
import { table } from '../../core/table'
import { metricName } from '../../core/words'
import { Badge, Card, Empty, Meter, type Tone } from '../../ui/parts'
import { PlatformMark } from '../../ui/platform'
import { State, unknown } from '../../ui/status'

const Course = lazy(() => import('./Course'))

const trends = table<Trend, [string, Tone]>(
  { IMPROVING: ['Improving', 'ok'], STEADY: ['Steady', ''], DECLINING: ['Declining', 'bad'] },
  unknown,
)

// need says a target's pace against what it needs: from 90 % on it isn't behind.
function need(rate: boolean, format: (v: number) => string, needed: number, pace: number | null | undefined) {
  if (pace == null) return rate ? `Its posts need ${format(needed)}.` : `It needs ${format(needed)} a day.`
  const short = Math.round(100 * (1 - pace / needed))
  const state = short > 10 ? `Behind by ${short} %` : 'On pace'
  return rate
    ? `${state}: the posts so far have ${format(pace)}, those to come need ${format(needed)}.`
    : `${state}: gets ${format(pace)} a day, needs ${format(needed)}.`
}

// Kpis is each target of a mission: where it stands, its course, and what is needed.
export function Kpis({ mission, fetchKey }: { mission: Kpis_mission$key; fetchKey: number }) {
  const m = useFragment(
    graphql`
      fragment Kpis_mission on Mission {
        id
        kpiProgress {
          metric
          platform
          target
          current
          trend
          neededPerDay
          pacePerDay
          reportedBy
        }
      }
    `,
    mission,
  )
  if (m.kpiProgress.length === 0) {
    return (
      <Card title="Targets">
        <Empty icon="target" title="No targets">
          Add a target in the brief to see each day whether the mission will reach it.
        </Empty>
      </Card>
    )
  }
  return (
    <div className="kpis">
      {m.kpiProgress.map((k) => {
        const rate = k.metric === 'ENGAGEMENT_RATE'
        const reached = k.current !== null && k.current !== undefined && k.current >= k.target
        return (
          <Card
            key={`${k.metric}${k.platform}`}
            title={
              <span className="row">
                {metricName(k.metric)} {k.platform && <PlatformMark platform={k.platform} />}
              </span>
            }
            aside={reached ? <Badge tone="ok">Reached</Badge> : <State of={trends(k.trend)} />}
          >
            <div className="stack">
              <p className="now">
                <strong className="num">{k.current == null ? '–' : figure(k.metric, k.current)}</strong>
                <span className="muted"> of {figure(k.metric, k.target)}</span>
              </p>
              <Meter
                label={metricName(k.metric)}
                value={k.current ?? 0}
                max={k.target}
                tone={reached ? 'ok' : ''}
                text={`${figure(k.metric, k.current ?? 0)} of ${figure(k.metric, k.target)}`}
              />
              <p className="small muted">
                {k.reportedBy.length === 0
                  ? 'None of its platforms reports this metric.'
                  : reached
                    ? 'The target is reached.'
                    : k.neededPerDay == null
                      ? 'The mission is over.'
                      : need(rate, (v) => figure(k.metric, v), k.neededPerDay, k.pacePerDay)}
              </p>
              <Boundary small place={m.id}>
                <Suspense fallback={<div className="chart-place" />}>
                  <Course id={m.id} metric={k.metric} platform={k.platform ?? null} fetchKey={fetchKey} />
                </Suspense>
              </Boundary>
            </div>
          </Card>
        )
      })}
    </div>
  )
}
