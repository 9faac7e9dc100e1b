import './posts.css'
import { Suspense } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay'
import { useLocation } from 'wouter'
import type { ContentOrder, TableQuery } from '../../__generated__/TableQuery.graphql'
import type { ContentStatus } from '../../core/enums'
import { useFilters } from '../../core/filters'
import { inWords, table } from '../../core/table'
import { usePlatforms } from '../../text/limits'
import { Segmented } from '../../ui/field'
import { PageHead } from '../../ui/parts'
import { platformName } from '../../ui/platform'
import { ExportPosts } from '../../ui/post/ExportPosts'
import { SearchBox } from '../../ui/SearchBox'
import { WriteButton } from '../../ui/write'
import { Rows } from './Rows'
import { Views } from './Views'

const states = {
  '': { label: 'All', statuses: null },
  review: { label: 'To review', statuses: ['PENDING_REVIEW'] },
  waiting: { label: 'Waiting', statuses: ['APPROVED', 'SCHEDULED', 'PUBLISHING', 'UNKNOWN'] },
  published: { label: 'Published', statuses: ['PUBLISHED'] },
  dropped: { label: 'Not published', statuses: ['REJECTED', 'FAILED', 'EXPIRED', 'CANCELED'] },
} satisfies Record<string, { label: string; statuses: ContentStatus[] | null }>

type State = keyof typeof states

const orders = table(
  {
    '': 'Newest first',
    SCHEDULED: 'By time',
    IMPRESSIONS: 'Most impressions',
    ENGAGEMENT_RATE: 'Best engagement',
    LIKES: 'Most likes',
    COMMENTS: 'Most comments',
    SHARES: 'Most shares',
    CLICKS: 'Most clicks',
  } satisfies Partial<Record<ContentOrder | '', string>>,
  inWords,
)

// The service's limit of a search, in characters.
const longest = 100

// Table is all posts: found by their text, and in the order of any figure. Its filters are in the
// address, so that a view is kept as a bookmark.
export default function Table() {
  const { params, shown, set } = useFilters('/posts')
  const [, go] = useLocation()
  const wanted = params.get('state') ?? ''
  const state = (Object.hasOwn(states, wanted) ? wanted : '') as State
  const search = (params.get('search') ?? '').slice(0, longest)
  const order = orders.has(params.get('order') ?? '') ? (params.get('order') ?? '') : ''
  const all = usePlatforms().map((p) => p.platform)
  const platform = all.find((p) => p === params.get('platform')) ?? null
  const filter = { search: search || null, statuses: states[state].statuses, platform }
  const data = useLazyLoadQuery<TableQuery>(
    graphql`
      query TableQuery($search: String, $statuses: [ContentStatus!], $platform: Platform, $order: ContentOrder) {
        ...Rows_list @arguments(search: $search, statuses: $statuses, platform: $platform, order: $order)
      }
    `,
    { ...filter, order: (order || null) as ContentOrder | null },
    { fetchPolicy: 'store-and-network' },
  )
  return (
    <div className="page posts searched">
      <PageHead
        title="Posts"
        actions={
          <>
            <Suspense>
              <Views shown={params.toString()} />
            </Suspense>
            <ExportPosts name="posts" filter={filter} order={(order || null) as ContentOrder | null} />
            <WriteButton />
          </>
        }
      />
      <div className="row wrap filters">
        <Segmented
          label="State"
          value={(shown.get('state') ?? '') as State}
          options={(Object.keys(states) as State[]).map((value) => ({ value, label: states[value].label }))}
          onChange={(v) => set({ state: v })}
        />
        <span className="grow" />
        <select
          className="input"
          aria-label="Platform"
          value={shown.get('platform') ?? ''}
          onChange={(e) => set({ platform: e.target.value })}
        >
          <option value="">All platforms</option>
          {all.map((p) => (
            <option key={p} value={p}>
              {platformName(p)}
            </option>
          ))}
        </select>
        <select className="input" aria-label="Order" value={shown.get('order') ?? ''} onChange={(e) => set({ order: e.target.value })}>
          {orders.keys.map((value) => (
            <option key={value} value={value}>
              {orders(value)}
            </option>
          ))}
        </select>
        <SearchBox
          label="Search the posts’ texts"
          placeholder="Search texts"
          maxLength={longest}
          value={search}
          onSearch={(v) => set({ search: v })}
        />
      </div>
      <Rows
        key={`${state} ${order} ${platform} ${search}`}
        list={data}
        filtered={!!params.size}
        onClear={() => go('/posts', { replace: true })}
      />
    </div>
  )
}
