import './replies.css'
import { graphql, useLazyLoadQuery } from 'react-relay'
import { useLocation } from 'wouter'
import type { RepliesQuery, ReplyStatus } from '../../__generated__/RepliesQuery.graphql'
import { useFilters } from '../../core/filters'
import { table } from '../../core/table'
import { usePlatforms } from '../../text/limits'
import { Segmented } from '../../ui/field'
import { PageHead } from '../../ui/parts'
import { platformName } from '../../ui/platform'
import { List } from './List'

const states = table<ReplyStatus | '', string>(
  { '': 'All', NEW: 'New', ANSWERED: 'Answered', DONE: 'Set aside', HIDDEN: 'Hidden', DELETED: 'Deleted' },
  () => 'All',
)

// Replies is what people replied to the tenant's posts, the latest first. Its filters are in the
// address.
export default function Replies() {
  const { params, shown, set } = useFilters('/replies')
  const [, go] = useLocation()
  const wanted = params.get('state') ?? ''
  const state = states.has(wanted) ? wanted : ''
  const mission = params.get('mission')
  const all = usePlatforms().filter((p) => p.replies.read)
  const platform = all.find((p) => p.platform === params.get('platform'))?.platform ?? null
  const data = useLazyLoadQuery<RepliesQuery>(
    graphql`
      query RepliesQuery($status: ReplyStatus, $mission: ID, $platform: Platform) {
        missions(first: 100) {
          edges {
            node {
              id
              name
            }
          }
        }
        ...List_replies @arguments(status: $status, mission: $mission, platform: $platform)
      }
    `,
    { status: state || null, mission, platform },
    { fetchPolicy: 'store-and-network' },
  )
  return (
    <div className="page replies searched">
      <PageHead title="Replies" about="What people reply to your posts, and comment on them." />
      <div className="row wrap filters">
        <Segmented
          label="State"
          value={(shown.get('state') ?? '') as ReplyStatus | ''}
          options={states.keys.map((value) => ({ value, label: states(value) }))}
          onChange={(v) => set({ state: v })}
        />
        <span className="grow" />
        <select
          className="input"
          aria-label="Mission"
          value={shown.get('mission') ?? ''}
          onChange={(e) => set({ mission: e.target.value })}
        >
          <option value="">All missions</option>
          {data.missions?.edges.map(({ node }) => (
            <option key={node.id} value={node.id}>
              {node.name}
            </option>
          ))}
        </select>
        <select
          className="input"
          aria-label="Platform"
          value={shown.get('platform') ?? ''}
          onChange={(e) => set({ platform: e.target.value })}
        >
          <option value="">All platforms</option>
          {all.map(({ platform: p }) => (
            <option key={p} value={p}>
              {platformName(p)}
            </option>
          ))}
        </select>
      </div>
      <List
        key={`${state} ${mission} ${platform}`}
        list={data}
        filtered={!!params.size}
        onClear={() => go('/replies', { replace: true })}
      />
    </div>
  )
}
