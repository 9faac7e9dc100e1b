import { lazy, startTransition, Suspense, useState } from 'react'
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay'
import type { Posts_list$key } from '../../__generated__/Posts_list.graphql'
import type { PostsListQuery } from '../../__generated__/PostsListQuery.graphql'
import type { PostsQuery } from '../../__generated__/PostsQuery.graphql'
import type { ContentStatus } from '../../core/enums'
import { compact, sentence } from '../../core/format'
import { useRefresh, useRenew } from '../../core/live'
import { useMay } from '../../core/session'
import { Behind } from '../../ui/behind'
import { Button } from '../../ui/button'
import { Segmented } from '../../ui/field'
import { Icon } from '../../ui/icons'
import { Empty, Note } from '../../ui/parts'
import { PostContent } from '../../ui/post/PostContent'
import { Settle } from '../../ui/post/Settle'
import { ContentBadge } from '../../ui/status'
import { ExportPosts } from '../../ui/post/ExportPosts'
import { PostLink } from '../../ui/post/PostLink'
import { WriteButton } from '../../ui/write'

const Import = lazy(() => import('./Import'))

const filters = {
  all: { label: 'All', statuses: null },
  waiting: { label: 'Waiting', statuses: ['PENDING_REVIEW', 'APPROVED', 'SCHEDULED', 'PUBLISHING', 'UNKNOWN'] },
  published: { label: 'Published', statuses: ['PUBLISHED'] },
  dropped: { label: 'Not published', statuses: ['REJECTED', 'FAILED', 'EXPIRED', 'CANCELED'] },
} satisfies Record<string, { label: string; statuses: ContentStatus[] | null }>

type Filter = keyof typeof filters

// Posts is what a mission made, newest first.
export default function Posts({ id }: { id: string }) {
  const [which, setWhich] = useState<Filter>('all')
  const [importing, setImporting] = useState(false)
  const may = useMay('CONTENT_WRITE')
  const data = useLazyLoadQuery<PostsQuery>(
    graphql`
      query PostsQuery($id: ID!, $statuses: [ContentStatus!]) {
        ...Posts_list @arguments(id: $id, statuses: $statuses)
        mission(id: $id) {
          status
          constraints {
            timezone
          }
        }
      }
    `,
    { id, statuses: filters[which].statuses },
    { fetchPolicy: 'store-and-network' },
  )
  const open = data.mission?.status === 'ACTIVE' || data.mission?.status === 'PAUSED'
  return (
    <div className="stack wide">
      <div className="row wrap spread">
        <Segmented
          label="Which posts"
          value={which}
          options={(Object.keys(filters) as Filter[]).map((value) => ({ value, label: filters[value].label }))}
          onChange={(v) => startTransition(() => setWhich(v))}
        />
        <div className="row wrap">
          {open && <WriteButton mission={id} />}
          {open && may && (
            <Button icon="plus" onClick={() => setImporting(true)}>
              Import
            </Button>
          )}
          <ExportPosts name={`posts-${id}`} filter={{ missionId: id, statuses: filters[which].statuses }} />
        </div>
      </div>
      <Cards key={which} list={data} mission={id} zone={data.mission?.constraints.timezone} />
      {importing && (
        <Suspense>
          <Import mission={id} onClose={() => setImporting(false)} />
        </Suspense>
      )}
    </div>
  )
}

function Cards({ list, mission, zone }: { list: Posts_list$key; mission: string; zone?: string }) {
  const { data, refetch, loadNext, hasNext, isLoadingNext } = usePaginationFragment<PostsListQuery, Posts_list$key>(
    graphql`
      fragment Posts_list on Query
      @refetchable(queryName: "PostsListQuery")
      @argumentDefinitions(
        id: { type: "ID!" }
        statuses: { type: "[ContentStatus!]" }
        count: { type: "Int", defaultValue: 18 }
        cursor: { type: "String" }
      ) {
        contents(filter: { missionId: $id, statuses: $statuses }, first: $count, after: $cursor) @connection(key: "Posts_contents") {
          edges {
            node {
              id
              text
              status
              platformUrl
              rejectionReason
              error {
                message
              }
              metrics {
                impressions
                likes
                comments
                shares
                clicks
              }
              ...PostContent_content
              ...Settle_content
            }
          }
        }
      }
    `,
    list,
  )
  const posts = data.contents?.edges ?? []
  const ids = posts.map((e) => e.node.id)
  const { renew, behind, begin } = useRenew(posts.length, 18, refetch)
  useRefresh(['CONTENT_CREATED'], renew, (e) => e.mission?.id === mission)
  if (posts.length === 0)
    return (
      <Empty icon="edit" title="No posts here">
        Posts appear here as soon as the mission writes them.
      </Empty>
    )
  return (
    <>
      {behind && <Behind onBegin={begin} />}
      <ul className="cards">
        {posts.map(({ node: c }) => (
          <li key={c.id}>
            <PostContent content={c} zone={zone} />
            <div className="row wrap under">
              <ContentBadge status={c.status} />
              <PostLink id={c.id} ids={ids} className="link xsmall">
                Details<span className="hidden"> of: {c.text.slice(0, 60)}</span>
              </PostLink>
              {c.metrics && <Figures metrics={c.metrics} />}
              <span className="grow" />
              <Settle content={c} />
              {c.platformUrl && (
                <a className="link xsmall row" href={c.platformUrl} target="_blank" rel="noreferrer">
                  Open <Icon name="out" size={12} />
                </a>
              )}
            </div>
            {(c.error ?? c.rejectionReason) && (
              <Note tone={c.error ? 'bad' : 'warn'}>{c.error ? sentence(c.error.message) : c.rejectionReason}</Note>
            )}
          </li>
        ))}
      </ul>
      {hasNext && (
        <p>
          <Button busy={isLoadingNext} onClick={() => loadNext(18)}>
            Show more
          </Button>
        </p>
      )}
    </>
  )
}

function Figures({ metrics }: { metrics: { readonly [k: string]: number | null | undefined } }) {
  return (
    <span className="xsmall muted num row">
      {(['impressions', 'likes', 'comments', 'shares', 'clicks'] as const).map(
        (k) =>
          metrics[k] != null && (
            <span key={k}>
              {compact(metrics[k])} {k}
            </span>
          ),
      )}
    </span>
  )
}
