import type { ReactNode } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay'
import { Link } from 'wouter'
import type { BreakdownQuery, BreakdownQuery$data } from '../../__generated__/BreakdownQuery.graphql'
import type { Metric } from '../../core/enums'
import { count } from '../../core/format'
import { metricName, metricOf } from '../../core/words'
import { Figure } from '../../ui/figure'
import { PlatformMark, platformName } from '../../ui/platform'
import { nameOf } from './Accounts'

export const groups = { platform: 'Platforms', account: 'Accounts', mission: 'Missions' } as const
export type Group = keyof typeof groups

type Props = {
  by: Group
  mission: string | null
  account: string | null
  from: string
  to: string
  fetchKey: number
  metric: Metric
  available: Metric[]
}

type Line = {
  key: string
  name: ReactNode
  posts: number
  metrics: NonNullable<NonNullable<BreakdownQuery$data['analytics']>['platforms']>[number]['metrics']
}

// Breakdown is the figures of a range by platform, account or mission: a table whose first
// column has a bar for the chosen metric.
export function Breakdown({ by, mission, account, from, to, fetchKey, metric, available }: Props) {
  const { analytics } = useLazyLoadQuery<BreakdownQuery>(
    graphql`
      query BreakdownQuery($mission: ID, $account: ID, $from: Date!, $to: Date!, $group: AnalyticsGrouping!, $by: Metric) {
        analytics(missionId: $mission, integrationId: $account, from: $from, to: $to, groupBy: $group) {
          platforms {
            platform
            posts
            metrics {
              ...Analytics_metrics @relay(mask: false)
            }
          }
          accounts {
            platform
            integrationId
            integration {
              id
              label
            }
            account {
              name
              handle
            }
            posts
            metrics {
              ...Analytics_metrics @relay(mask: false)
            }
          }
          missions(by: $by) {
            missionId
            mission {
              id
              name
            }
            posts
            metrics {
              ...Analytics_metrics @relay(mask: false)
            }
          }
        }
      }
    `,
    { mission, account, from, to, group: by.toUpperCase() as 'PLATFORM', by: by === 'mission' ? metric : null },
    { fetchPolicy: 'store-and-network', fetchKey },
  )
  const lines: Line[] = [
    ...(analytics?.platforms ?? []).map((p) => ({
      ...p,
      key: p.platform,
      name: (
        <>
          <PlatformMark platform={p.platform} quiet />
          {platformName(p.platform)}
        </>
      ),
    })),
    ...(analytics?.accounts ?? []).map((a) => ({
      ...a,
      key: `${a.platform} ${a.integrationId}`,
      name: (
        <>
          <PlatformMark platform={a.platform} quiet />
          <span className="clip">
            {a.integrationId ? (a.integration?.label ?? nameOf(a.account)) : `${platformName(a.platform)} sandbox`}
          </span>
          {a.integrationId && !a.integration && <span className="faint xsmall">disconnected</span>}
        </>
      ),
    })),
    ...(analytics?.missions ?? []).map((m) => ({
      ...m,
      key: m.missionId,
      name: (
        <Link href={`/missions/${m.missionId}`} className="clip">
          {m.mission?.name ?? m.missionId}
        </Link>
      ),
    })),
  ]
  const most = Math.max(...lines.map((l) => metricOf(l.metrics, metric) ?? 0))
  if (by !== 'mission') lines.sort((a, b) => (metricOf(b.metrics, metric) ?? -1) - (metricOf(a.metrics, metric) ?? -1))
  return (
    <>
      <div className="scrolls" tabIndex={0} role="region" aria-label={`Figures by ${by}`}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{groups[by].slice(0, -1)}</th>
              <th scope="col" className="right">
                Posts
              </th>
              {available.map((m) => (
                <th key={m} scope="col" className="right" aria-sort={m === metric ? 'descending' : undefined}>
                  {metricName(m)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map((l) => (
              <tr key={l.key}>
                <td className="barred">
                  <span className="row">{l.name}</span>
                  <span className="bar" style={{ inlineSize: `${most > 0 ? (100 * (metricOf(l.metrics, metric) ?? 0)) / most : 0}%` }} />
                </td>
                <td className="right">{count(l.posts)}</td>
                {available.map((m) => (
                  <Figure key={m} metric={m} value={metricOf(l.metrics, m)} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {lines.length === 50 && by === 'mission' && <p className="xsmall muted">Only the top 50 missions are shown.</p>}
    </>
  )
}
