import { graphql, usePaginationFragment } from 'react-relay'
import type { Posts_analytics$key } from '../../__generated__/Posts_analytics.graphql'
import type { PostsAnalyticsQuery } from '../../__generated__/PostsAnalyticsQuery.graphql'
import type { Metric } from '../../core/enums'
import { dateTime, ownZone } from '../../core/format'
import { metricName, metricOf } from '../../core/words'
import { Button } from '../../ui/button'
import { Figure } from '../../ui/figure'
import { Card } from '../../ui/parts'
import { PlatformMark } from '../../ui/platform'
import { PostLink } from '../../ui/post/PostLink'

const columns: Metric[] = ['IMPRESSIONS', 'ENGAGEMENT_RATE', 'LIKES', 'COMMENTS', 'SHARES', 'LINK_CLICKS']

// Posts are the measured posts, the latest first.
export function Posts({ query }: { query: Posts_analytics$key }) {
  const { data, loadNext, hasNext, isLoadingNext } = usePaginationFragment<PostsAnalyticsQuery, Posts_analytics$key>(
    graphql`
      fragment Posts_analytics on Query
      @refetchable(queryName: "PostsAnalyticsQuery")
      @argumentDefinitions(
        mission: { type: "ID" }
        account: { type: "ID" }
        from: { type: "Date!" }
        to: { type: "Date!" }
        count: { type: "Int", defaultValue: 15 }
        cursor: { type: "String" }
      ) {
        byPost: analytics(missionId: $mission, integrationId: $account, from: $from, to: $to, groupBy: CONTENT) {
          contents(first: $count, after: $cursor) @connection(key: "Measured_contents") {
            edges {
              node {
                contentId
                missionId
                platform
                publishedAt
                content {
                  id
                  text
                }
                metrics {
                  impressions
                  engagementRate
                  likes
                  comments
                  shares
                  linkClicks
                }
              }
            }
          }
        }
      }
    `,
    query,
  )
  const posts = data.byPost?.contents?.edges ?? []
  const ids = posts.map((e) => e.node.contentId)
  return (
    <Card title="Posts">
      <div className="scrolls" tabIndex={0} role="region" aria-label="Figures by post">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Post</th>
              <th scope="col">Published ({ownZone()})</th>
              {columns.map((m) => (
                <th key={m} scope="col" className="right">
                  {metricName(m)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {posts.map(({ node: p }) => (
              <tr key={p.contentId}>
                <td className="text">
                  <PostLink id={p.contentId} ids={ids} className="row">
                    <PlatformMark platform={p.platform} />
                    <span className="clip" dir="auto">
                      {p.content?.text ?? p.contentId}
                    </span>
                  </PostLink>
                </td>
                <td className="nowrap muted num">{dateTime(p.publishedAt)}</td>
                {columns.map((m) => (
                  <Figure key={m} metric={m} value={metricOf(p.metrics, m)} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {hasNext && (
        <p className="more">
          <Button busy={isLoadingNext} onClick={() => loadNext(25)}>
            Show more
          </Button>
        </p>
      )}
    </Card>
  )
}
