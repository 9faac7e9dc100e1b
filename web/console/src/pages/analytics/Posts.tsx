import { graphql, usePaginationFragment } from 'react-relay'
import { Link } from 'wouter'
import type { Posts_analytics$key } from '../../__generated__/Posts_analytics.graphql'
import type { PostsAnalyticsQuery } from '../../__generated__/PostsAnalyticsQuery.graphql'
import { compact, dateTime, figure, ownZone } from '../../core/format'
import { Button } from '../../ui/button'
import { Card } from '../../ui/parts'
import { PlatformMark } from '../../ui/platform'

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
  const cell = (v: number | null | undefined) => <td className="right">{v == null ? <span className="faint">–</span> : compact(v)}</td>
  return (
    <Card title="Posts">
      <div className="scrolls" tabIndex={0} role="region" aria-label="Figures by post">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Post</th>
              <th scope="col">Published ({ownZone()})</th>
              <th scope="col" className="right">
                Impressions
              </th>
              <th scope="col" className="right">
                Engagement
              </th>
              <th scope="col" className="right">
                Likes
              </th>
              <th scope="col" className="right">
                Comments
              </th>
              <th scope="col" className="right">
                Shares
              </th>
              <th scope="col" className="right">
                Link clicks
              </th>
            </tr>
          </thead>
          <tbody>
            {posts.map(({ node: p }) => (
              <tr key={p.contentId}>
                <td className="text">
                  <Link href={`/missions/${p.missionId}/posts`} className="row">
                    <PlatformMark platform={p.platform} />
                    <span className="clip">{p.content?.text ?? p.contentId}</span>
                  </Link>
                </td>
                <td className="nowrap muted num">{dateTime(p.publishedAt)}</td>
                {cell(p.metrics.impressions)}
                <td className="right">
                  {p.metrics.engagementRate == null ? (
                    <span className="faint">–</span>
                  ) : (
                    figure('ENGAGEMENT_RATE', p.metrics.engagementRate)
                  )}
                </td>
                {cell(p.metrics.likes)}
                {cell(p.metrics.comments)}
                {cell(p.metrics.shares)}
                {cell(p.metrics.linkClicks)}
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
