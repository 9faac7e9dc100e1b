import { lazy, Suspense } from 'react'
import { graphql, useFragment } from 'react-relay'
import type { Kpis_mission$key } from '../../__generated__/Kpis_mission.graphql'
import { figure } from '../../app/format'
import { metricName } from '../../app/words'
import { Badge, Card, Empty, Meter } from '../../ui/parts'
import { PlatformMark } from '../../ui/platform'

const Course = lazy(() => import('./Course'))

const trends = { IMPROVING: ['Improving', 'ok'], STEADY: ['Steady', ''], DECLINING: ['Declining', 'bad'] } as const

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
          reportedBy
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
              <Suspense fallback={<div className="chart-place" />}><Course id={m.id} metric={k.metric} platform={k.platform ?? null} fetchKey={fetchKey} /></Suspense>
            </div>
          </Card>
        )
      })}
    </div>
  )
}
