import { useEffect, useRef, useState } from 'react'
import { fetchQuery, graphql, useRelayEnvironment } from 'react-relay'
import type { ExportQuery, ExportQuery$data } from '../../__generated__/ExportQuery.graphql'
import type { ContentStatus } from '../../core/enums'
import { forPeople } from '../../core/fault'
import { csv, save } from '../../core/file'
import { plural } from '../../core/format'
import { toast } from '../../core/toast'
import { Button } from '../../ui/button'

const query = graphql`
  query ExportQuery($mission: ID!, $statuses: [ContentStatus!], $after: String) {
    contents(filter: { missionId: $mission, statuses: $statuses }, first: 100, after: $after) {
      totalCount
      pageInfo {
        hasNextPage
        endCursor
      }
      edges {
        node {
          id
          platform
          status
          text
          scheduledAt
          publishedAt
          platformUrl
          metrics {
            impressions
            reach
            likes
            comments
            shares
            clicks
            linkClicks
            followersGained
            engagementRate
          }
        }
      }
    }
  }
`

type Page = NonNullable<ExportQuery$data['contents']>
type Post = Page['edges'][number]['node']

const head = [
  'id',
  'platform',
  'status',
  'text',
  'scheduled_at',
  'published_at',
  'url',
  'impressions',
  'reach',
  'likes',
  'comments',
  'shares',
  'clicks',
  'link_clicks',
  'followers_gained',
  'engagement_rate',
]

const row = ({ metrics: m, ...c }: Post) => [
  c.id,
  c.platform.toLowerCase(),
  c.status.toLowerCase(),
  c.text,
  c.scheduledAt,
  c.publishedAt,
  c.platformUrl,
  m?.impressions,
  m?.reach,
  m?.likes,
  m?.comments,
  m?.shares,
  m?.clicks,
  m?.linkClicks,
  m?.followersGained,
  m?.engagementRate,
]

// Export saves a mission's posts as a file, a page at a time: it says how far it is, and can
// be stopped.
export function Export({ mission, statuses }: { mission: string; statuses: ContentStatus[] | null }) {
  const environment = useRelayEnvironment()
  const [at, setAt] = useState<{ done: number; of: number } | null>(null)
  const stop = useRef(false)
  useEffect(() => () => void (stop.current = true), [])
  const run = async () => {
    const posts: Post[] = []
    stop.current = false
    setAt({ done: 0, of: 0 })
    try {
      for (let after: string | null = null; ;) {
        const data: ExportQuery$data | undefined = await fetchQuery<ExportQuery>(
          environment,
          query,
          { mission, statuses, after },
          { fetchPolicy: 'network-only' },
        ).toPromise()
        if (stop.current) return
        const page: Page = data!.contents!
        posts.push(...page.edges.map((e) => e.node))
        setAt({ done: posts.length, of: page.totalCount ?? posts.length })
        if (!page.pageInfo.hasNextPage) break
        after = page.pageInfo.endCursor ?? null
      }
      save(`posts-${mission}.csv`, 'text/csv', csv([head, ...posts.map(row)]))
      toast(`${plural(posts.length, 'post')} exported.`)
    } catch (e) {
      toast(forPeople(e).message, { tone: 'bad' })
    } finally {
      if (!stop.current) setAt(null)
    }
  }
  if (!at)
    return (
      <Button icon="save" onClick={() => void run()}>
        Export CSV
      </Button>
    )
  return (
    <span className="row" role="status">
      <progress aria-label="Exported" max={at.of || 1} value={at.done} />
      <span className="small muted num">
        {at.done} of {plural(at.of, 'post')}
      </span>
      <Button
        onClick={() => {
          stop.current = true
          setAt(null)
        }}
      >
        Stop
      </Button>
    </span>
  )
}
