import { useRef, useState } from 'react'
import { graphql, usePaginationFragment } from 'react-relay'
import { Link } from 'wouter'
import type { Rows_list$key } from '../../__generated__/Rows_list.graphql'
import type { RowsListQuery } from '../../__generated__/RowsListQuery.graphql'
import type { Metric } from '../../core/enums'
import { dateTime } from '../../core/format'
import { useKeys } from '../../core/keys'
import { useRefresh, useRenew } from '../../core/live'
import { useMay } from '../../core/session'
import { metricName, metricOf } from '../../core/words'
import { Behind } from '../../ui/behind'
import { Button } from '../../ui/button'
import { Figure } from '../../ui/figure'
import { Empty } from '../../ui/parts'
import { PlatformMark } from '../../ui/platform'
import { PostLink } from '../../ui/post/PostLink'
import { ContentBadge } from '../../ui/status'
import { Bulk } from './Bulk'

const figures: Metric[] = ['IMPRESSIONS', 'ENGAGEMENT_RATE', 'LIKES', 'COMMENTS', 'SHARES', 'CLICKS']

// Rows are posts in a table: j and k go through them, x selects.
export function Rows({ list, filtered, onClear }: { list: Rows_list$key; filtered: boolean; onClear: () => void }) {
  const { data, refetch, loadNext, hasNext, isLoadingNext } = usePaginationFragment<RowsListQuery, Rows_list$key>(
    graphql`
      fragment Rows_list on Query
      @refetchable(queryName: "RowsListQuery")
      @argumentDefinitions(
        search: { type: "String" }
        statuses: { type: "[ContentStatus!]" }
        platform: { type: "Platform" }
        order: { type: "ContentOrder" }
        count: { type: "Int", defaultValue: 30 }
        cursor: { type: "String" }
      ) {
        contents(filter: { search: $search, statuses: $statuses, platform: $platform }, order: $order, first: $count, after: $cursor)
          @connection(key: "Rows_contents") {
          edges {
            node {
              id
              text
              platform
              status
              revision
              scheduledAt
              publishedAt
              allowedActions
              mission {
                id
                name
                constraints {
                  timezone
                }
              }
              metrics {
                impressions
                engagementRate
                likes
                comments
                shares
                clicks
                linkClicks
                followersGained
                reach
                views
              }
            }
          }
        }
      }
    `,
    list,
  )
  const posts = (data.contents?.edges ?? []).map((e) => e.node)
  const { renew, behind, begin } = useRenew(posts.length, 30, refetch)
  useRefresh(['CONTENT_CREATED', 'CONTENT_PUBLISHED'], renew)
  const may = useMay('CONTENT_WRITE')
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const body = useRef<HTMLTableSectionElement>(null)
  const chosen = posts.filter((c) => picked.has(c.id))
  const ids = posts.map((c) => c.id)
  const pick = (id: string) => {
    const next = new Set(picked)
    if (!next.delete(id)) next.add(id)
    setPicked(next)
  }
  const links = () => [...(body.current?.querySelectorAll<HTMLElement>('.text a') ?? [])]
  const at = () => links().findIndex((l) => l.closest('tr')?.contains(document.activeElement))
  const step = (n: number) => links()[Math.max(0, at() + n)]?.focus()
  useKeys([
    { keys: 'j', label: 'Next post', run: () => step(1) },
    { keys: 'k', label: 'Previous post', run: () => step(-1) },
    { keys: 'x', label: 'Select the post', run: () => ids[at()] && pick(ids[at()]!), off: !may },
  ])
  if (posts.length === 0 && !hasNext)
    return (
      <Empty
        icon="search"
        title={filtered ? 'No post is like that' : 'No posts yet'}
        actions={filtered ? <Button onClick={onClear}>Clear the filters</Button> : undefined}
      >
        {filtered ? 'Search for other words, or look at all posts.' : 'Posts appear here as soon as a mission writes them.'}
      </Empty>
    )
  return (
    <>
      {behind && <Behind onBegin={begin} />}
      {chosen.length > 0 && <Bulk posts={chosen} onDone={() => setPicked(new Set())} />}
      <div className="card scrolls" tabIndex={0} role="region" aria-label="Posts">
        <table className="table">
          <thead>
            <tr>
              {may && (
                <th scope="col">
                  <input
                    type="checkbox"
                    aria-label="Select all that are shown"
                    checked={chosen.length === posts.length}
                    onChange={(e) => setPicked(new Set(e.target.checked ? ids : []))}
                  />
                </th>
              )}
              <th scope="col">Post</th>
              <th scope="col">Mission</th>
              <th scope="col">State</th>
              <th scope="col">Time</th>
              {figures.map((m) => (
                <th key={m} scope="col" className="right">
                  {metricName(m)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody ref={body}>
            {posts.map((c) => (
              <tr key={c.id}>
                {may && (
                  <td>
                    <input
                      type="checkbox"
                      aria-label={`Select: ${c.text.slice(0, 60)}`}
                      checked={picked.has(c.id)}
                      onChange={() => pick(c.id)}
                    />
                  </td>
                )}
                <td className="text">
                  <PostLink id={c.id} ids={ids} className="row">
                    <PlatformMark platform={c.platform} />
                    <span className="clip" dir="auto">
                      {c.text}
                    </span>
                  </PostLink>
                </td>
                <td className="nowrap">
                  {c.mission && (
                    <Link className="link clip" href={`/missions/${c.mission.id}`}>
                      {c.mission.name}
                    </Link>
                  )}
                </td>
                <td className="nowrap">
                  <ContentBadge status={c.status} />
                </td>
                <td className="nowrap muted num">{c.publishedAt || c.scheduledAt ? dateTime((c.publishedAt ?? c.scheduledAt)!) : '–'}</td>
                {figures.map((m) => (
                  <Figure key={m} metric={m} value={c.metrics && metricOf(c.metrics, m)} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {hasNext && (
        <p>
          <Button busy={isLoadingNext} onClick={() => loadNext(30)}>
            Show more
          </Button>
        </p>
      )}
    </>
  )
}
