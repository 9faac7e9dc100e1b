import './activity.css'
import { startTransition } from 'react'
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay'
import { useLocation, useSearch } from 'wouter'
import type { Activity_events$key } from '../../__generated__/Activity_events.graphql'
import type { ActivityEventsQuery } from '../../__generated__/ActivityEventsQuery.graphql'
import type { ActivityQuery } from '../../__generated__/ActivityQuery.graphql'
import type { EventType } from '../../core/enums'
import { dateOf, dayLong } from '../../core/format'
import { useRefresh, useRenew } from '../../core/live'
import { table } from '../../core/table'
import { eventTypes } from '../../core/words'
import { Behind } from '../../ui/behind'
import { Button } from '../../ui/button'
import { Segmented } from '../../ui/field'
import { Empty, PageHead } from '../../ui/parts'
import { Zone } from '../../ui/time'
import { Entry } from './Entry'

const all = { label: 'All', prefix: /^(?!WEBHOOK)/ }

const kinds = table(
  {
    all,
    posts: { label: 'Posts', prefix: /^CONTENT_/ },
    trouble: { label: 'Problems', prefix: /FAILED|EXPIRED|EXPIRING|HELD|ANOMALY/ },
    missions: { label: 'Missions', prefix: /^MISSION_/ },
    cycles: { label: 'Cycles', prefix: /^PIPELINE_/ },
    figures: { label: 'Results', prefix: /^ANALYTICS_/ },
  },
  () => all,
)

// Activity is what happened in the last thirty days, the latest first, as it happens.
export default function Activity() {
  const params = new URLSearchParams(useSearch())
  const [, go] = useLocation()
  const wanted = params.get('kind') ?? ''
  const kind = kinds.has(wanted) ? wanted : 'all'
  const types = kind === 'all' ? null : eventTypes.filter((t) => kinds(kind).prefix.test(t))
  const data = useLazyLoadQuery<ActivityQuery>(
    graphql`
      query ActivityQuery($types: [EventType!]) {
        ...Activity_events @arguments(types: $types)
      }
    `,
    { types },
    { fetchPolicy: 'store-and-network' },
  )
  return (
    <div className="page activity">
      <PageHead
        title="Activity"
        about={
          <>
            The last 30 days, as it happens. <Zone />
          </>
        }
      />
      <Segmented
        label="Kind"
        value={kind}
        options={kinds.keys.map((value) => ({ value, label: kinds(value).label }))}
        onChange={(k) => startTransition(() => go(k === 'all' ? '/activity' : `/activity?kind=${k}`, { replace: true }))}
      />
      <Feed key={kind} events={data} types={types} />
    </div>
  )
}

function Feed({ events, types }: { events: Activity_events$key; types: EventType[] | null }) {
  const { data, refetch, loadNext, hasNext, isLoadingNext } = usePaginationFragment<ActivityEventsQuery, Activity_events$key>(
    graphql`
      fragment Activity_events on Query
      @refetchable(queryName: "ActivityEventsQuery")
      @argumentDefinitions(types: { type: "[EventType!]" }, count: { type: "Int", defaultValue: 40 }, cursor: { type: "String" }) {
        events(filter: { types: $types }, first: $count, after: $cursor) @connection(key: "Activity_events") {
          edges {
            node {
              id
              createdAt
              ...Entry_event
            }
          }
        }
      }
    `,
    events,
  )
  const edges = data.events?.edges ?? []
  const { renew, behind, begin } = useRenew(edges.length, 40, refetch)
  useRefresh(['CONTENT_', 'MISSION_', 'PIPELINE_', 'ANALYTICS_'], renew, (e) => !types || types.includes(e.type))
  if (edges.length === 0)
    return (
      <Empty icon="activity" title="No activity yet">
        What missions write, publish and measure appears here as it happens.
      </Empty>
    )
  const days = Map.groupBy(edges, (e) => dateOf(e.node.createdAt))
  return (
    <>
      {behind && <Behind onBegin={begin} />}
      {[...days].map(([day, list]) => (
        <section key={day} aria-label={day}>
          <h2 className="small muted">{dayLong(list[0]!.node.createdAt)}</h2>
          <ol className="card rows">
            {list.map(({ node }) => (
              <Entry key={node.id} event={node} />
            ))}
          </ol>
        </section>
      ))}
      {hasNext && (
        <p className="more">
          <Button busy={isLoadingNext} onClick={() => loadNext(40)}>
            Show more
          </Button>
        </p>
      )}
    </>
  )
}
