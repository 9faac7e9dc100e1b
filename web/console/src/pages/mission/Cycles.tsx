import { Suspense, useState } from 'react'
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay'
import type { Cycles_mission$data, Cycles_mission$key } from '../../__generated__/Cycles_mission.graphql'
import type { CyclesJobQuery } from '../../__generated__/CyclesJobQuery.graphql'
import type { CyclesListQuery } from '../../__generated__/CyclesListQuery.graphql'
import type { CyclesQuery } from '../../__generated__/CyclesQuery.graphql'
import { useNow } from '../../core/clock'
import { count, day, money, plural, span } from '../../core/format'
import { useRefresh, useRenew } from '../../core/live'
import { useMay } from '../../core/session'
import { angleName } from '../../core/words'
import { Behind } from '../../ui/behind'
import { Button } from '../../ui/button'
import { Icon } from '../../ui/icons'
import { Card, Empty, Skeleton } from '../../ui/parts'
import { PlatformMark } from '../../ui/platform'
import { RunBadge } from '../../ui/status'
import { Time } from '../../ui/time'
import { useRetry } from './actions'
import { Lanes, Timeline } from './Lanes'
import { Pipeline } from './Pipeline'

// Cycles is a mission's posting days.
export default function Cycles({ id }: { id: string }) {
  const { mission } = useLazyLoadQuery<CyclesQuery>(
    graphql`
      query CyclesQuery($id: ID!) {
        mission(id: $id) {
          ...Cycles_mission
        }
      }
    `,
    { id },
    { fetchPolicy: 'store-and-network' },
  )
  return mission && <Table mission={mission} />
}

type Job = NonNullable<Cycles_mission$data['jobs']>['edges'][number]['node']

// ended returns when a cycle's last stage ended, or now while it goes on.
const ended = (j: Job, now: number) =>
  j.completedAt
    ? Date.parse(j.completedAt)
    : j.status === 'RUNNING'
      ? now
      : Math.max(Date.parse(j.createdAt), ...j.stages.map((s) => Date.parse(s.completedAt ?? s.startedAt ?? j.createdAt)))

const lasted = (j: Job, now: number) => ended(j, now) - Date.parse(j.createdAt)

function Table({ mission }: { mission: Cycles_mission$key }) {
  const { data, refetch, loadNext, hasNext, isLoadingNext } = usePaginationFragment<CyclesListQuery, Cycles_mission$key>(
    graphql`
      fragment Cycles_mission on Mission
      @refetchable(queryName: "CyclesListQuery")
      @argumentDefinitions(count: { type: "Int", defaultValue: 30 }, cursor: { type: "String" }) {
        id
        status
        constraints {
          timezone
        }
        jobs(first: $count, after: $cursor) @connection(key: "Cycles_jobs") {
          edges {
            node {
              id
              cycle
              status
              costCents
              createdAt
              completedAt
              posts {
                written
                approved
                published
                failed
                expired
              }
              stages {
                name
                status
                startedAt
                completedAt
              }
              ...Pipeline_job
            }
          }
        }
      }
    `,
    mission,
  )
  const now = useNow()
  const retry = useRetry(data.id)
  const may = useMay('MISSIONS_WRITE')
  const jobs = (data.jobs?.edges ?? []).map((e) => e.node)
  const { renew, behind, begin } = useRenew(jobs.length, 30, refetch)
  useRefresh(['PIPELINE_', 'CONTENT_'], renew, (e) => e.mission?.id === data.id)
  const [open, setOpen] = useState<string | null>(null)
  const zone = data.constraints.timezone
  // The service retries the latest that failed.
  const failed = may && data.status === 'ACTIVE' ? jobs.find((j) => j.status === 'FAILED')?.id : undefined
  const long = Math.max(1, ...jobs.map((j) => lasted(j, now)))
  if (jobs.length === 0)
    return (
      <Empty icon="activity" title="No cycles yet">
        Each posting day is a cycle: a plan, its posts, their results and what was learned.
      </Empty>
    )
  return (
    <div className="stack">
      {behind && <Behind onBegin={begin} />}
      <div className="card scrolls" tabIndex={0} role="region" aria-label="Cycles">
        <table className="table stacked cycles">
          <thead>
            <tr>
              <th scope="col">Cycle</th>
              <th scope="col">State</th>
              {['Written', 'Approved', 'Published', 'Failed', 'Cost', 'Duration'].map((name) => (
                <th key={name} scope="col" className="right">
                  {name}
                </th>
              ))}
              <th scope="col">Stages</th>
            </tr>
          </thead>
          {jobs.map((j) => (
            <tbody key={j.id}>
              <tr>
                <td className="nowrap">
                  <span className="row">
                    <button
                      type="button"
                      className="disclose"
                      aria-expanded={open === j.id}
                      onClick={() => setOpen(open === j.id ? null : j.id)}
                    >
                      <Icon name={open === j.id ? 'down' : 'right'} size={14} />
                      Cycle {j.cycle}
                    </button>
                    <span className="muted small">{day(j.createdAt, zone)}</span>
                  </span>
                </td>
                <td data-label="State">
                  <RunBadge status={j.status} />
                </td>
                <Figure label="Written" n={j.posts?.written} />
                <Figure label="Approved" n={j.posts?.approved} />
                <Figure label="Published" n={j.posts?.published} />
                <td className="right nowrap" data-label="Failed">
                  {count(j.posts?.failed ?? 0)}
                  {!!j.posts?.expired && <div className="xsmall muted">{count(j.posts.expired)} expired</div>}
                </td>
                <td className="right" data-label="Cost">
                  {money(j.costCents)}
                </td>
                <td className="right nowrap" data-label="Duration">
                  {span(lasted(j, now))}
                </td>
                <td data-label="Stages">
                  <Lanes stages={j.stages} from={Date.parse(j.createdAt)} long={long} now={now} zone={zone} />
                </td>
              </tr>
              {open === j.id && (
                <tr>
                  <td colSpan={9} className="opened">
                    <div className="stack">
                      <Pipeline job={j} titled retry={failed === j.id ? retry : undefined} />
                      <Timeline stages={j.stages} from={Date.parse(j.createdAt)} now={now} zone={zone} />
                      <Suspense fallback={<Skeleton />}>
                        <PlanOf id={j.id} zone={zone} />
                      </Suspense>
                    </div>
                  </td>
                </tr>
              )}
            </tbody>
          ))}
        </table>
      </div>
      {hasNext && (
        <p>
          <Button busy={isLoadingNext} onClick={() => loadNext(30)}>
            Show more
          </Button>
        </p>
      )}
    </div>
  )
}

const Figure = ({ label, n = 0 }: { label: string; n?: number }) => (
  <td className="right" data-label={label}>
    {count(n)}
  </td>
)

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
