import './missions.css'
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay'
import { useLocation } from 'wouter'
import type { Missions_list$key } from '../../__generated__/Missions_list.graphql'
import type { MissionsListQuery } from '../../__generated__/MissionsListQuery.graphql'
import type { MissionOrder, MissionsQuery } from '../../__generated__/MissionsQuery.graphql'
import type { MissionStatus } from '../../core/enums'
import { useFilters } from '../../core/filters'
import { useChanges, useRefresh, useRenew } from '../../core/live'
import { useMay } from '../../core/session'
import { inWords, table } from '../../core/table'
import { Behind } from '../../ui/behind'
import { Button, LinkButton } from '../../ui/button'
import { Segmented } from '../../ui/field'
import { Empty, PageHead } from '../../ui/parts'
import { HoldButton } from '../../ui/hold'
import { SearchBox } from '../../ui/SearchBox'
import { MissionRow } from './MissionRow'

const states: { value: MissionStatus | 'ALL'; label: string }[] = [
  { value: 'ALL', label: 'All' },
  { value: 'ACTIVE', label: 'Active' },
  { value: 'PAUSED', label: 'Paused' },
  { value: 'DRAFT', label: 'Drafts' },
  { value: 'COMPLETED', label: 'Completed' },
]

const orders = table(
  { '': 'Newest first', NAME: 'By name', END: 'Ending soonest', NEXT_POST: 'Next post first' } satisfies Partial<
    Record<MissionOrder | '', string>
  >,
  inWords,
)

// Missions is the list of missions: found by name and state.
export default function Missions() {
  const { params, shown, set } = useFilters('/missions')
  const [, go] = useLocation()
  const status = states.find((s) => s.value === params.get('status'))?.value ?? 'ALL'
  const search = params.get('search') ?? ''
  const wanted = params.get('order') ?? ''
  const order = orders.has(wanted) ? wanted : ''
  const mayCreate = useMay('MISSIONS_WRITE')
  const data = useLazyLoadQuery<MissionsQuery>(
    graphql`
      query MissionsQuery($status: MissionStatus, $search: String, $order: MissionOrder) {
        ...Missions_list @arguments(status: $status, search: $search, order: $order)
      }
    `,
    { status: status === 'ALL' ? null : status, search: search || null, order: order || null },
    { fetchPolicy: 'store-and-network' },
  )
  return (
    <div className="page missions searched">
      <PageHead
        title="Missions"
        actions={
          mayCreate && (
            <>
              <HoldButton />
              <LinkButton href="/missions/new" look="primary" icon="plus">
                New mission
              </LinkButton>
            </>
          )
        }
      />
      <div className="row wrap filters">
        <Segmented
          label="State"
          value={(shown.get('status') ?? 'ALL') as typeof status}
          options={states}
          onChange={(v) => set({ status: v === 'ALL' ? '' : v })}
        />
        <span className="grow" />
        <select className="input" aria-label="Order" value={shown.get('order') ?? ''} onChange={(e) => set({ order: e.target.value })}>
          {orders.keys.map((value) => (
            <option key={value} value={value}>
              {orders(value)}
            </option>
          ))}
        </select>
        <SearchBox label="Search missions by name" placeholder="Search by name" value={search} onSearch={(v) => set({ search: v })} />
      </div>
      <List key={`${status}${order}${search}`} list={data} filtered={!!params.size} onClear={() => go('/missions', { replace: true })} />
    </div>
  )
}

function List({ list, filtered, onClear }: { list: Missions_list$key; filtered: boolean; onClear: () => void }) {
  const { data, refetch, loadNext, hasNext, isLoadingNext } = usePaginationFragment<MissionsListQuery, Missions_list$key>(
    graphql`
      fragment Missions_list on Query
      @refetchable(queryName: "MissionsListQuery")
      @argumentDefinitions(
        status: { type: "MissionStatus" }
        search: { type: "String" }
        order: { type: "MissionOrder" }
        count: { type: "Int", defaultValue: 25 }
        cursor: { type: "String" }
      ) {
        missions(filter: { status: $status, search: $search }, orderBy: $order, first: $count, after: $cursor)
          @connection(key: "Missions_missions") {
          edges {
            node {
              id
              ...MissionRow_mission
            }
          }
        }
      }
    `,
    list,
  )
  const mayCreate = useMay('MISSIONS_WRITE')
  const missions = data.missions?.edges ?? []
  const { renew, behind, begin } = useRenew(missions.length, 25, refetch)
  useRefresh(['MISSION_CREATED', 'MISSION_STARTED', 'MISSION_COMPLETED'], renew)
  useChanges(['MISSIONS'], renew)
  if (missions.length === 0) {
    return filtered ? (
      <Empty icon="search" title="No mission matches" actions={<Button onClick={onClear}>Show all</Button>}>
        The search matches the beginnings of words in names.
      </Empty>
    ) : (
      <Empty
        icon="mission"
        title="No missions yet"
        actions={
          mayCreate && (
            <LinkButton href="/missions/new" look="primary" icon="plus">
              New mission
            </LinkButton>
          )
        }
      >
        Set an objective, choose platforms and a schedule. The mission writes, publishes and measures its posts, and learns from them.
      </Empty>
    )
  }
  return (
    <>
      {behind && <Behind onBegin={begin} />}
      <ul className="card rows mission-list">
        {missions.map(({ node }) => (
          <MissionRow key={node.id} mission={node} />
        ))}
      </ul>
      {hasNext && (
        <p className="more">
          <Button busy={isLoadingNext} onClick={() => loadNext(25)}>
            Show more
          </Button>
        </p>
      )}
    </>
  )
}
