import { graphql, useLazyLoadQuery } from 'react-relay'
import type { LimitKind, UsageQuery } from '../../__generated__/UsageQuery.graphql'
import { count, dayShort, formatDate } from '../../core/format'
import { Card, Meter } from '../../ui/parts'
import { lazy, Suspense } from 'react'
import { useFresh, useRefresh } from '../../core/live'
import { useViewer } from '../../core/session'
import { inWords, table } from '../../core/table'

const LineChart = lazy(() => import('../../ui/LineChart'))

const operations = table(
  {
    'missions.create': 'New missions',
    'content.regenerate': 'Rewrites of posts',
    'tenant.sample': 'Samples of the brand',
    'analytics.export': 'Analytics exports',
    'tenant.onboard': 'Onboardings',
  },
  inWords,
)

const kinds = table<Exclude<LimitKind, 'OPERATION'>, string>(
  {
    REQUESTS: 'Requests',
    OPERATION_COST: 'Cost of a GraphQL operation',
    WEBHOOKS: 'Webhook endpoints',
    INTEGRATIONS: 'Connected accounts',
    MISSION_POSTS: 'Posts waiting in one mission',
  },
  inWords,
)

// Usage is how much of the plan is used.
export default function Usage() {
  const { tenant } = useViewer()
  const [fetchKey, refresh] = useFresh(['TENANT', 'API_KEYS', 'WEBHOOKS', 'INTEGRATIONS', 'MISSIONS'])
  useRefresh(['CONTENT_', 'MISSION_'], refresh)
  const { usage, viewer } = useLazyLoadQuery<UsageQuery>(
    graphql`
      query UsageQuery {
        usage {
          currentPeriod {
            requests
            limit
            resetAt
          }
          dailyUsage {
            date
            requests
          }
        }
        viewer {
          tenant {
            id
            limits {
              kind
              operation
              limit
              perSeconds
              burst
              used
            }
          }
        }
      }
    `,
    {},
    { fetchPolicy: 'store-and-network', fetchKey },
  )
  if (!usage) return null
  const { requests, limit, resetAt } = usage.currentPeriod
  return (
    <div className="stack wide">
      <Card title="This month" aside={<span className="badge plain">{tenant.plan.toLowerCase()} plan</span>}>
        <div className="stack">
          <p>
            <strong className="num big-number">{count(requests)}</strong> <span className="muted">of {count(limit)} requests</span>
          </p>
          <Meter label="Requests this month" value={requests} max={limit} tone={requests > 0.9 * limit ? 'warn' : ''} />
          <p className="small muted">The month ends on {formatDate(resetAt, { day: 'numeric', month: 'long' })}, UTC.</p>
        </div>
      </Card>
      <Card title="Limits" rows>
        <ul className="rows limits">
          {viewer?.tenant.limits?.map(({ kind, operation, limit, perSeconds, burst, used }) => (
            <li key={kind + operation} className="row">
              <span className="grow">{operation ? operations(operation) : kinds(kind)}</span>
              <span className="num small">
                {used != null && `${count(used)} of `}
                {count(limit)}
                {perSeconds && (perSeconds === 60 ? ' a minute' : ' an hour')}
                {burst && <span className="muted">, {count(burst)} at once</span>}
              </span>
            </li>
          ))}
        </ul>
      </Card>
      <Card title="Requests a day">
        <Suspense fallback={<div className="chart-place" />}>
          <LineChart
            title="Requests"
            points={usage.dailyUsage.map((d) => ({ at: `${d.date}T12:00:00Z`, value: d.requests }))}
            format={count}
            zone="UTC"
          />
        </Suspense>
        <p className="hidden">{usage.dailyUsage.map((d) => `${dayShort(d.date, 'UTC')}: ${d.requests}`).join(', ')}</p>
      </Card>
    </div>
  )
}
