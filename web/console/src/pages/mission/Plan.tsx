import { graphql, useLazyLoadQuery } from 'react-relay'
import type { PlanQuery } from '../../__generated__/PlanQuery.graphql'
import { figure, list, money, plural } from '../../app/format'
import { cadenceName, metricName } from '../../app/words'
import { Card } from '../../ui/parts'
import { platformName } from '../../ui/platform'

// Plan is a mission's brief.
export default function Plan({ id }: { id: string }) {
  const { mission: m } = useLazyLoadQuery<PlanQuery>(
    graphql`
      query PlanQuery($id: ID!) {
        mission(id: $id) {
          description
          objectives
          platforms
          durationDays
          constraints {
            tone
            cadence
            postsPerDay
            postingTimes
            timezone
            requireApproval
            budgetCents
            excludedTopics
          }
          kpis {
            metric
            target
            platform
          }
        }
      }
    `,
    { id },
    { fetchPolicy: 'store-and-network' },
  )
  if (!m) return null
  const c = m.constraints
  const facts: [string, React.ReactNode][] = [
    ['Objectives', m.objectives.map((o) => <span key={o}>{o}</span>)],
    ...(m.description ? [['About', m.description] as [string, string]] : []),
    ['Platforms', list(m.platforms.map(platformName))],
    ['Rhythm', `${cadenceName(c.cadence)}, ${plural(c.postsPerDay, 'post')} a day${c.postingTimes.length ? ` at ${list(c.postingTimes)}` : ''}, ${c.timezone}`],
    ['Length', plural(m.durationDays, 'day')],
    ['Approval', c.requireApproval ? 'A person approves each post' : 'Posts go out without approval'],
    ['Tone', c.tone ?? 'The brand’s'],
    ['Never about', c.excludedTopics.length ? list(c.excludedTopics) : 'Nothing is excluded'],
    ['Budget', c.budgetCents == null ? 'No limit' : money(c.budgetCents)],
    ['Targets', m.kpis.length ? m.kpis.map((k) => <span key={k.metric + (k.platform ?? '')}>{metricName(k.metric)} {figure(k.metric, k.target)}{k.platform ? ` on ${platformName(k.platform)}` : ''}</span>) : 'None'],
  ]
  return (
    <Card title="Brief">
      <dl className="brief-list">{facts.map(([t, d]) => <div key={t}><dt>{t}</dt><dd>{d}</dd></div>)}</dl>
    </Card>
  )
}
