import { graphql, useFragment } from 'react-relay'
import type { Figures_content$key } from '../../__generated__/Figures_content.graphql'
import type { Metric } from '../../core/enums'
import { span } from '../../core/format'
import { metricName, metricOf } from '../../core/words'
import { Figure } from '../../ui/figure'
import { Card } from '../../ui/parts'

const shown: Metric[] = ['IMPRESSIONS', 'VIEWS', 'REACH', 'LIKES', 'COMMENTS', 'SHARES', 'CLICKS', 'LINK_CLICKS', 'ENGAGEMENT_RATE']

// Figures are what the post's readers did, at each age at which it was measured.
export function Figures({ content }: { content: Figures_content$key }) {
  const c = useFragment(
    graphql`
      fragment Figures_content on Content {
        status
        measurements {
          ageSeconds
          measuredAt
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
    `,
    content,
  )
  if (c.status !== 'PUBLISHED') return null
  const ages = c.measurements ?? []
  const last = ages.at(-1)
  const metrics = shown.filter((m) => last && metricOf(last.metrics, m) !== null)
  return (
    <Card title="Figures">
      {metrics.length === 0 ? (
        <p className="muted small">Its platform hasn’t reported any figures yet.</p>
      ) : (
        <div className="scrolls" tabIndex={0} role="region" aria-label="Figures by age">
          <table className="table">
            <thead>
              <tr>
                <th scope="col">After</th>
                {metrics.map((m) => (
                  <th key={m} scope="col" className="right">
                    {metricName(m)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {ages.map((a) => (
                <tr key={a.ageSeconds}>
                  <td className="nowrap">{span(a.ageSeconds * 1000)}</td>
                  {metrics.map((m) => (
                    <Figure key={m} metric={m} value={metricOf(a.metrics, m)} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  )
}
