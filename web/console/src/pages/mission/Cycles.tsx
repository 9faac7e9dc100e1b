import { useState } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay'
import type { CyclesJobQuery } from '../../__generated__/CyclesJobQuery.graphql'
import type { CyclesQuery } from '../../__generated__/CyclesQuery.graphql'
import { day, money, plural } from '../../core/format'
import { angleName } from '../../core/words'
import { useFresh, useRefresh } from '../../core/live'
import { Card, Empty, Skeleton } from '../../ui/parts'
import { PlatformMark } from '../../ui/platform'
import { RunBadge } from '../../ui/status'
import { Time } from '../../ui/time'
import { Pipeline } from './Pipeline'
import { Suspense } from 'react'

// Cycles is a mission's posting days. The plan of one is loaded when it is opened.
export default function Cycles({ id }: { id: string }) {
  const [fetchKey, refresh] = useFresh([])
  const { mission } = useLazyLoadQuery<CyclesQuery>(
    graphql`
      query CyclesQuery($id: ID!) {
        mission(id: $id) {
          constraints {
            timezone
          }
          jobs(first: 30) {
            edges {
              node {
                id
                cycle
                status
                costCents
                createdAt
                ...Pipeline_job
              }
            }
          }
        }
      }
    `,
    { id },
    { fetchPolicy: 'store-and-network', fetchKey },
  )
  useRefresh(['PIPELINE_'], refresh, (e) => e.mission?.id === id)
  const [open, setOpen] = useState<string | null>(null)
  const zone = mission?.constraints.timezone
  const jobs = mission?.jobs?.edges ?? []
  if (jobs.length === 0)
    return (
      <Empty icon="activity" title="No cycles yet">
        Each posting day is a cycle: a plan, its posts, their results and what was learned.
      </Empty>
    )
  return (
    <ol className="stack">
      {jobs.map(({ node: j }) => (
        <li key={j.id}>
          <details className="card cycle" onToggle={(e) => e.currentTarget.open && setOpen(j.id)}>
            <summary>
              <span className="strong">Cycle {j.cycle}</span>
              <span className="muted small">{day(j.createdAt, zone)}</span>
              <span className="grow" />
              <span className="muted small num">{money(j.costCents)}</span>
              <RunBadge status={j.status} />
            </summary>
            <div className="body stack">
              <Pipeline job={j} titled />
              {open === j.id && (
                <Suspense fallback={<Skeleton />}>
                  <PlanOf id={j.id} zone={zone} />
                </Suspense>
              )}
            </div>
          </details>
        </li>
      ))}
    </ol>
  )
}

function PlanOf({ id, zone }: { id: string; zone?: string }) {
  const { job } = useLazyLoadQuery<CyclesJobQuery>(
    graphql`
      query CyclesJobQuery($id: ID!) {
        job(id: $id) {
          strategy {
            reasons
            slots {
              at
              platform
              angle
              objective
              type
            }
          }
        }
      }
    `,
    { id },
  )
  const plan = job?.strategy
  if (!plan) return <p className="small muted">There is no plan yet.</p>
  return (
    <div className="stack">
      <Card title="Why">
        <ul className="reasons-list small">
          {plan.reasons.map((r) => (
            <li key={r}>{r}</li>
          ))}
        </ul>
      </Card>
      <Card title={plural(plan.slots.length, 'slot')} rows>
        {plan.slots.map((s, i) => (
          <div key={i} className="line small">
            <PlatformMark platform={s.platform} />
            <Time at={s.at} zone={zone} exact />
            <span className="clip grow muted">{s.objective}</span>
            <span className="badge plain">{angleName(s.angle)}</span>
          </div>
        ))}
      </Card>
    </div>
  )
}
