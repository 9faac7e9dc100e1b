import { fetchQuery, graphql, useRelayEnvironment } from 'react-relay'
import type { ContentFilter, ContentOrder, ExportPostsQuery, ExportPostsQuery$data } from '../../__generated__/ExportPostsQuery.graphql'
import { Export } from '../Export'

const query = graphql`
  query ExportPostsQuery($filter: ContentFilter, $order: ContentOrder, $after: String) {
    contents(filter: $filter, order: $order, first: 100, after: $after) {
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
            views
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

type Page = NonNullable<ExportPostsQuery$data['contents']>
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
  'views',
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
  m?.views,
  m?.likes,
  m?.comments,
  m?.shares,
  m?.clicks,
  m?.linkClicks,
  m?.followersGained,
  m?.engagementRate,
]

// ExportPosts exports the posts of a filter.
export function ExportPosts({ name, filter, order }: { name: string; filter: ContentFilter; order?: ContentOrder | null }) {
  const environment = useRelayEnvironment()
  const read = async (after: string | null) => {
    const data = await fetchQuery<ExportPostsQuery>(
      environment,
      query,
      { filter, order, after },
      { fetchPolicy: 'network-only' },
    ).toPromise()
    const { edges, totalCount, pageInfo }: Page = data!.contents!
    return {
      rows: edges.map((e) => row(e.node)),
      total: totalCount ?? edges.length,
      next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null,
    }
  }
  return <Export name={name} head={head} read={read} one="post" />
}
