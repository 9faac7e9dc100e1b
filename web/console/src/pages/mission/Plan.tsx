import { lazy, Suspense, useState } from 'react'
import { graphql, useFragment, useLazyLoadQuery } from 'react-relay'
import type { Plan_mission$data, Plan_mission$key } from '../../__generated__/Plan_mission.graphql'
import type { PlanQuery } from '../../__generated__/PlanQuery.graphql'
import { figure, list, money, plural } from '../../core/format'
import { useFresh } from '../../core/live'
import { useMay } from '../../core/session'
import { cadenceName, metricName } from '../../core/words'
import { Button } from '../../ui/button'
import { Card } from '../../ui/parts'
import { platformName } from '../../ui/platform'
import { Pictures } from './Pictures'
import { blank, type Form } from '../new/form'
import { typed } from '../../text/number'

const Edit = lazy(() => import('./Edit'))

// Plan is a mission's brief.
export default function Plan({ id }: { id: string }) {
  const [fetchKey] = useFresh(['MISSIONS'])
  const { mission } = useLazyLoadQuery<PlanQuery>(
    graphql`
      query PlanQuery($id: ID!) {
        mission(id: $id) {
          ...Plan_mission
        }
      }
    `,
    { id },
    { fetchPolicy: 'store-and-network', fetchKey },
  )
  return mission ? <Brief mission={mission} /> : null
}

function Brief({ mission }: { mission: Plan_mission$key }) {
  const m = useFragment(
    graphql`
      fragment Plan_mission on Mission {
        id
        name
        description
        objectives
        platforms
        durationDays
        mediaIds
        allowedActions
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
    `,
    mission,
  )
  const may = useMay('MISSIONS_WRITE')
  const [editing, setEditing] = useState(false)
  const c = m.constraints
  const facts: [string, React.ReactNode][] = [
    ['Objectives', m.objectives.map((o) => <span key={o}>{o}</span>)],
    ...(m.description ? [['About', m.description] as [string, string]] : []),
    ['Platforms', list(m.platforms.map(platformName))],
    [
      'Schedule',
      `${cadenceName(c.cadence)}, ${plural(c.postsPerDay, 'post')} a day${c.postingTimes.length ? ` at ${list(c.postingTimes)}` : ''}, ${c.timezone}`,
    ],
    ['Length', plural(m.durationDays, 'day')],
    ['Approval', c.requireApproval ? 'A person approves each post' : 'Posts go out without approval'],
    ['Tone', c.tone ?? 'As set in the brand settings'],
    ['Excluded topics', c.excludedTopics.length ? list(c.excludedTopics) : 'None'],
    ['Budget', c.budgetCents == null ? 'No limit' : money(c.budgetCents)],
    [
      'Targets',
      m.kpis.length
        ? m.kpis.map((k) => (
            <span key={k.metric + (k.platform ?? '')}>
              {metricName(k.metric)} {figure(k.metric, k.target)}
              {k.platform ? ` on ${platformName(k.platform)}` : ''}
            </span>
          ))
        : 'None',
    ],
  ]
  const changes = may && m.allowedActions.includes('UPDATE')
  return (
    <div className="stack wide">
      <Card
        title="Brief"
        aside={
          changes && (
            <Button icon="edit" onClick={() => setEditing(true)}>
              Edit
            </Button>
          )
        }
      >
        <dl className="brief-list">
          {facts.map(([t, d]) => (
            <div key={t}>
              <dt>{t}</dt>
              <dd>{d}</dd>
            </div>
          ))}
        </dl>
        {editing && (
          <Suspense>
            <Edit id={m.id} before={formOf(m)} onClose={() => setEditing(false)} />
          </Suspense>
        )}
      </Card>
      <Pictures id={m.id} ids={m.mediaIds} may={changes} />
    </div>
  )
}

// formOf returns the form that describes a mission.
function formOf({ constraints: c, ...m }: Plan_mission$data): Form {
  return {
    ...blank(),
    name: m.name,
    description: m.description ?? '',
    objectives: [...m.objectives],
    platforms: [...m.platforms],
    cadence: c.cadence as Form['cadence'],
    postsPerDay: String(c.postsPerDay),
    postingTimes: [...c.postingTimes],
    timezone: c.timezone,
    durationDays: String(m.durationDays),
    requireApproval: c.requireApproval,
    tone: c.tone ?? '',
    excludedTopics: c.excludedTopics.join(', '),
    budget: c.budgetCents == null ? '' : typed(c.budgetCents / 100),
    kpis: m.kpis.map((k) => ({ metric: k.metric, target: typed(k.target), platform: k.platform ?? '' })),
  }
}
