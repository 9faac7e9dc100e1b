import './analytics.css'
import { lazy, Suspense } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay'
import type { AnalyticsQuery, AnalyticsQuery$data } from '../../__generated__/AnalyticsQuery.graphql'
import { csv, save } from '../../core/file'
import type { Metric } from '../../core/enums'
import { useFilters } from '../../core/filters'
import { figure, plural } from '../../core/format'
import { useFresh, useRefresh } from '../../core/live'
import { toast } from '../../core/toast'
import { table } from '../../core/table'
import { metricField, metricName, metricOf } from '../../core/words'
import { addDays } from '../../core/zone'
import { Button } from '../../ui/button'
import { Segmented } from '../../ui/field'
import { Card, Empty, PageHead, Skeleton } from '../../ui/parts'
import { Accounts } from './Accounts'
import { Breakdown, type Group, groups } from './Breakdown'
import { Posts } from './Posts'

const LineChart = lazy(() => import('../../ui/LineChart'))

const shown: Metric[] = [
  'IMPRESSIONS',
  'ENGAGEMENT_RATE',
  'LIKES',
  'COMMENTS',
  'SHARES',
  'CLICKS',
  'LINK_CLICKS',
  'FOLLOWERS_GAINED',
  'REACH',
]

const spans = table({ '7': '7 days', '30': '30 days', '90': '90 days' }, (days) => `${days} days`)

// Analytics is what posts brought: by day, by platform, account and mission, and post by post.
export default function Analytics() {
  const { params, shown: chosen, set } = useFilters('/analytics')
  const [fetchKey, refresh, at] = useFresh([])
  const mission = params.get('mission')
  const account = params.get('account')
  const length = spans.has(params.get('days') ?? '') ? params.get('days')! : '30'
  const wanted = params.get('metric') ?? ''
  const metric = metricName.has(wanted) ? wanted : 'IMPRESSIONS'
  const options = (Object.keys(groups) as Group[])
    .filter((g) => (g !== 'mission' || !mission) && (!account || g === 'mission'))
    .map((value) => ({ value, label: groups[value] }))
  const by = options.find((o) => o.value === params.get('by'))?.value ?? options[0]?.value
  const to = new Date(at).toISOString().slice(0, 10)
  const from = addDays(to, 1 - Number(length))
  const data = useLazyLoadQuery<AnalyticsQuery>(
    graphql`
      query AnalyticsQuery($mission: ID, $account: ID, $from: Date!, $to: Date!) {
        byDay: analytics(missionId: $mission, integrationId: $account, from: $from, to: $to, groupBy: DAY) {
          posts
          totals {
            ...Analytics_metrics @relay(mask: false)
          }
          days {
            date
            posts
            metrics {
              ...Analytics_metrics @relay(mask: false)
            }
          }
        }
        missions(first: 100) {
          edges {
            node {
              id
              name
            }
          }
        }
        ...Accounts_query @arguments(from: $from, to: $to)
        ...Posts_analytics @arguments(mission: $mission, account: $account, from: $from, to: $to)
      }
    `,
    { mission, account, from, to },
    { fetchPolicy: 'store-and-network', fetchKey },
  )
  useRefresh(['PIPELINE_STAGE_COMPLETED', 'ANALYTICS_'], refresh)
  const totals = data.byDay?.totals
  const days = data.byDay?.days ?? []
  const available = shown.filter((m) => totals && metricOf(totals, m) !== null)
  const points = days.flatMap((d) => {
    const value = metricOf(d.metrics, metric)
    return value === null ? [] : [{ at: `${d.date}T12:00:00Z`, value }]
  })
  return (
    <div className="page analytics">
      <PageHead
        title="Analytics"
        about={data.byDay ? `${plural(data.byDay.posts, 'post')} measured, published in the last ${spans(length)}` : undefined}
        actions={
          <Button icon="save" disabled={days.length === 0} onClick={() => exportDays(days, from, to)}>
            Export CSV
          </Button>
        }
      />
      <div className="row wrap filters">
        <Segmented
          label="Time"
          value={chosen.get('days') ?? '30'}
          options={spans.keys.map((value) => ({ value: value as string, label: spans(value) }))}
          onChange={(v) => set({ days: v === '30' ? '' : v })}
        />
        <select
          className="input short"
          aria-label="Mission"
          value={chosen.get('mission') ?? ''}
          onChange={(e) => set({ mission: e.target.value })}
        >
          <option value="">All missions</option>
          {data.missions?.edges.map(({ node }) => (
            <option key={node.id} value={node.id}>
              {node.name}
            </option>
          ))}
        </select>
        <Accounts query={data} value={chosen.get('account')} onChange={(id) => set({ account: id, by: '' })} />
      </div>
      {(data.byDay?.posts ?? 0) === 0 ? (
        mission || account ? (
          <Empty icon="chart" title="No results match">
            No post {account ? 'of this account ' : ''}
            {mission ? 'of this mission ' : ''}was published and measured in the last {spans(length)}.
          </Empty>
        ) : (
          <Empty icon="chart" title="No results yet">
            Posts are measured from 15 minutes to 90 days after they are published.
          </Empty>
        )
      ) : (
        <div className="stack wide">
          <div className="totals" role="group" aria-label="Metric of the chart">
            {available.map((m) => (
              <button key={m} type="button" aria-pressed={m === metric} onClick={() => set({ metric: m === 'IMPRESSIONS' ? '' : m })}>
                <span className="small muted">{metricName(m)}</span>
                <span className="value num">{figure(m, metricOf(totals!, m)!)}</span>
              </button>
            ))}
          </div>
          <Card title={<>{metricName(metric)} by day of publication</>} aside={<span className="xsmall muted">Days in UTC</span>}>
            <Suspense fallback={<div className="place" />}>
              <LineChart
                title={metricName(metric)}
                points={points}
                format={(v) => figure(metric, v)}
                zone="UTC"
                height={220}
                from={`${from}T00:00:00Z`}
                until={`${to}T23:59:59Z`}
              />
            </Suspense>
          </Card>
          {by && (
            <Card
              title="Comparison"
              aside={
                options.length > 1 && (
                  <Segmented label="Compare" value={by} options={options} onChange={(v) => set({ by: v === 'platform' ? '' : v })} />
                )
              }
            >
              <Suspense fallback={<Skeleton lines={4} />}>
                <Breakdown
                  by={by}
                  mission={mission}
                  account={account}
                  from={from}
                  to={to}
                  fetchKey={fetchKey}
                  metric={metric}
                  available={available}
                />
              </Suspense>
            </Card>
          )}
          <Posts query={data} />
        </div>
      )}
    </div>
  )
}

type Day = NonNullable<NonNullable<AnalyticsQuery$data['byDay']>['days']>[number]

// exportDays saves the figures of each day as a file of comma-separated values.
function exportDays(days: readonly Day[], from: string, to: string) {
  toast(`${plural(days.length, 'day')} exported.`)
  save(
    `analytics-${from}-${to}.csv`,
    'text/csv',
    csv([['date', 'posts', ...shown.map(metricField)], ...days.map((d) => [d.date, d.posts, ...shown.map((m) => metricOf(d.metrics, m))])]),
  )
}

// The metrics that each table has.
export const metrics = graphql`
  fragment Analytics_metrics on Metrics {
    engagementRate
    impressions
    clicks
    linkClicks
    likes
    comments
    shares
    followersGained
    reach
  }
`
