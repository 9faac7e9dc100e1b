import './activity.css'
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay'
import type { Activity_events$key } from '../../__generated__/Activity_events.graphql'
import type { ActivityEventsQuery } from '../../__generated__/ActivityEventsQuery.graphql'
import type { ActivityQuery } from '../../__generated__/ActivityQuery.graphql'
import type { EventType } from '../../core/enums'
import { useFilters } from '../../core/filters'
import { serviceNow } from '../../core/clock'
import { dateOf, dayLong, ownZone } from '../../core/format'
import { useRefresh, useRenew } from '../../core/live'
import { table } from '../../core/table'
import { eventTypes } from '../../core/words'
import { addDays, instant } from '../../core/zone'
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
    replies: { label: 'Replies', prefix: /^REPLY_/ },
    missions: { label: 'Missions', prefix: /^MISSION_/ },
    cycles: { label: 'Cycles', prefix: /^PIPELINE_/ },
    figures: { label: 'Results', prefix: /^ANALYTICS_/ },
  },
  () => all,
)

// Activity is what happened in the last thirty days, the latest first, as it happens.
export default function Activity() {
  const { params, shown, set } = useFilters('/activity')
  const wanted = params.get('kind') ?? ''
  const kind = kinds.has(wanted) ? wanted : 'all'
  const day = /^\d{4}-\d\d-\d\d$/.test(params.get('day') ?? '') ? params.get('day')! : null
  const createdTo = day && new Date(instant(addDays(day, 1), 0, 0, ownZone())).toISOString()
  const types = kind === 'all' ? null : eventTypes.filter((t) => kinds(kind).prefix.test(t))
  const data = useLazyLoadQuery<ActivityQuery>(
    graphql`
      query ActivityQuery($types: [EventType!], $createdTo: DateTime) {
        ...Activity_events @arguments(types: $types, createdTo: $createdTo)
      }
    `,
    { types, createdTo },
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
      <div className="row wrap filters">
        <Segmented
          label="Kind"
          value={shown.get('kind') ?? 'all'}
          options={kinds.keys.map((value) => ({ value, label: kinds(value).label }))}
          onChange={(k) => set({ kind: k === 'all' ? null : k })}
        />
        <span className="grow" />
        <label className="row small nowrap">
          Up to
          <input
            type="date"
            className="input"
            max={dateOf(serviceNow())}
            value={shown.get('day') ?? ''}
            onChange={(e) => set({ day: e.target.value || null })}
          />
        </label>
      </div>
      <Feed key={`${kind} ${day}`} events={data} types={types} day={day} />
    </div>
  )
}

function Feed({ events, types, day }: { events: Activity_events$key; types: EventType[] | null; day: string | null }) {
  const { data, refetch, loadNext, hasNext, isLoadingNext } = usePaginationFragment<ActivityEventsQuery, Activity_events$key>(
    graphql`
      fragment Activity_events on Query
      @refetchable(queryName: "ActivityEventsQuery")
      @argumentDefinitions(
        types: { type: "[EventType!]" }
        createdTo: { type: "DateTime" }
        count: { type: "Int", defaultValue: 40 }
        cursor: { type: "String" }
      ) {
        events(filter: { types: $types, createdTo: $createdTo }, first: $count, after: $cursor) @connection(key: "Activity_events") {
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
  useRefresh(['CONTENT_', 'REPLY_', 'MISSION_', 'PIPELINE_', 'ANALYTICS_'], renew, (e) => !day && (!types || types.includes(e.type)))
  if (edges.length === 0)
    return (
      <Empty icon="activity" title={day ? 'Nothing happened up to that day' : 'No activity yet'}>
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
