import { lazy, Suspense, useMemo, useRef } from 'react'
import { graphql, useLazyLoadQuery, useSubscription } from 'react-relay'
import type { GraphQLSubscriptionConfig } from 'relay-runtime'
import { Link } from 'wouter'
import type { OverviewQuery } from '../../__generated__/OverviewQuery.graphql'
import type { OverviewSubscription } from '../../__generated__/OverviewSubscription.graphql'
import { useFresh, useRefresh, useSoon } from '../../core/live'
import { useMay } from '../../core/session'
import { Due } from '../../ui/due'
import { Card, Empty, Skeleton } from '../../ui/parts'
import { PlatformMark } from '../../ui/platform'
import { PostLink } from '../../ui/post/PostLink'
import { ContentBadge } from '../../ui/status'
import { Feed } from './Feed'
import { Kpis } from './Kpis'
import { Pipeline } from './Pipeline'
import { useRetry } from './actions'

const Learned = lazy(() => import('./Learned'))

const query = graphql`
  query OverviewQuery($id: ID!) {
    mission(id: $id) {
      id
      status
      constraints {
        timezone
      }
      job {
        status
        strategy {
          reasons
        }
        ...Pipeline_job
      }
      ...Kpis_mission
      ...Feed_mission
    }
    next: contents(filter: { missionId: $id, statuses: [SCHEDULED, PUBLISHING] }, order: SCHEDULED, first: 5) {
      edges {
        node {
          id
          platform
          integrationId
          status
          text
          scheduledAt
        }
      }
    }
  }
`

// What no event tells: the figures of its posts, each time that they are measured.
const measured = graphql`
  subscription OverviewSubscription($id: ID!) {
    missionStatus(id: $id) {
      mission {
        id
        name
        status
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
    }
  }
`

// useMeasured calls a function when the figures behind a mission's targets have moved.
function useMeasured(id: string, fn: () => void) {
  const soon = useSoon(fn)
  const seen = useRef<string>(undefined)
  useSubscription(
    useMemo<GraphQLSubscriptionConfig<OverviewSubscription>>(
      () => ({
        subscription: measured,
        variables: { id },
        onNext: (r) => {
          const now = JSON.stringify(r?.missionStatus?.mission?.kpiProgress)
          const moved = seen.current !== undefined && seen.current !== now
          seen.current = now
          if (moved) soon()
        },
        onError: () => {}, // the page says that it isn't connected
      }),
      [id, soon],
    ),
  )
}

// Overview is where a mission stands now.
export function Overview({ id }: { id: string }) {
  const [fetchKey, refresh] = useFresh([])
  const { mission: m, next } = useLazyLoadQuery<OverviewQuery>(query, { id }, { fetchPolicy: 'store-and-network', fetchKey })
  useRefresh(['PIPELINE_', 'CONTENT_', 'ANALYTICS_', 'MISSION_'], refresh, (e) => e.mission?.id === id)
  useMeasured(id, refresh)
  const again = useRetry(id)
  const may = useMay('MISSIONS_WRITE')
  if (!m) return null
  const reasons = m.job?.strategy?.reasons ?? []
  const zone = m.constraints.timezone
  return (
    <div className="overview">
      <div className="stack wide">
        <Card>
          {m.job ? (
            <Pipeline job={m.job} retry={may && m.status === 'ACTIVE' ? again : undefined} />
          ) : (
            <Empty icon="activity" title="Nothing has run yet">
              {m.status === 'DRAFT'
                ? 'Start the mission, and it plans and writes its first posts within seconds.'
                : 'The first cycle begins on the first posting day.'}
            </Empty>
          )}
        </Card>
        <Kpis mission={m} fetchKey={fetchKey} />
        <Suspense fallback={<Skeleton lines={4} />}>
          <Learned id={id} fetchKey={fetchKey} />
        </Suspense>
        {reasons.length > 0 && (
          <Card
            title="Reasons for the plan"
            aside={
              <Link className="link small" href={`/missions/${id}/cycles`}>
                All cycles
              </Link>
            }
          >
            <ul className="reasons-list small">
              {reasons.map((r) => (
                <li key={r}>{r}</li>
              ))}
            </ul>
          </Card>
        )}
      </div>
      <div className="stack wide">
        <Card
          title="Next posts"
          rows
          aside={
            <Link className="link small" href={`/missions/${id}/posts`}>
              All posts
            </Link>
          }
        >
          {next?.edges.map(({ node: c }) => (
            <PostLink key={c.id} id={c.id} ids={next.edges.map((e) => e.node.id)} className="line">
              <PlatformMark platform={c.platform} />
              <span className="clip grow small" dir="auto">
                {c.text}
              </span>
              <span className="xsmall muted when">
                {c.status === 'PUBLISHING' ? (
                  <ContentBadge status={c.status} />
                ) : (
                  c.scheduledAt &&
                  (m.status === 'PAUSED' ? (
                    'paused'
                  ) : (
                    <Due at={c.scheduledAt} zone={zone} platforms={[c.platform]} account={c.integrationId} exact />
                  ))
                )}
              </span>
            </PostLink>
          ))}
          {(next?.edges.length ?? 0) === 0 && <p className="line small muted">No posts are scheduled.</p>}
        </Card>
        <Feed mission={m} />
      </div>
    </div>
  )
}
