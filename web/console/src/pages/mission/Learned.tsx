import { useState } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay'
import type { LearnedQuery, LearnedQuery$data } from '../../__generated__/LearnedQuery.graphql'
import { count, figure, plural } from '../../core/format'
import { inWords, table } from '../../core/table'
import { angleName, metricName } from '../../core/words'
import { Select } from '../../ui/field'
import { Intervals } from '../../ui/Intervals'
import { Card, Empty } from '../../ui/parts'
import { platformName } from '../../ui/platform'
import { Time } from '../../ui/time'

type Learning = NonNullable<NonNullable<LearnedQuery$data['mission']>['learning']>
type Belief = Learning['metrics'][number]['beliefs'][number]

const factors = table({ PLATFORM: 'Platform', ANGLE: 'Angle', FORMAT: 'Format', HOUR: 'Time of day' }, inWords)

// Learned is what a mission believes about its choices, with how sure it is.
export default function Learned({ id, fetchKey }: { id: string; fetchKey: number }) {
  const { mission } = useLazyLoadQuery<LearnedQuery>(
    graphql`
      query LearnedQuery($id: ID!) {
        mission(id: $id) {
          kpis {
            metric
          }
          learning {
            learnedAt
            credibleLevel
            metrics {
              metric
              observations
              beliefs {
                factor
                platform
                integrationId
                angle
                format
                hours
                mean
                low
                high
                unit
                observations
                preferred
              }
            }
          }
        }
      }
    `,
    { id },
    { fetchPolicy: 'store-and-network', fetchKey },
  )
  const [chosen, setChosen] = useState<string | null>(null)
  const learning = mission?.learning
  if (!learning) {
    return (
      <Card title="What was learned">
        <Empty icon="activity" title="Nothing yet">
          At the end of each cycle the mission learns which platforms, angles, formats and hours work best.
        </Empty>
      </Card>
    )
  }
  const aim = mission.kpis.find((k) => learning.metrics.some((m) => m.metric === k.metric))?.metric
  const shown = learning.metrics.find((m) => m.metric === (chosen ?? aim)) ?? learning.metrics[0]
  if (!shown) return null
  const accounts = [...new Set(shown.beliefs.flatMap((b) => b.integrationId ?? []))]
  return (
    <Card
      title="What was learned"
      aside={
        <span className="xsmall muted">
          <Time at={learning.learnedAt} />
        </span>
      }
    >
      <div className="stack">
        <Select label="Metric" value={shown.metric} onChange={(e) => setChosen(e.target.value)}>
          {learning.metrics.map((m) => (
            <option key={m.metric} value={m.metric}>
              {metricName(m.metric)}
            </option>
          ))}
        </Select>
        <p className="small muted">Based on {plural(shown.observations, 'post')}.</p>
        {factors.keys.map((f) => {
          const beliefs = shown.beliefs.filter((b) => b.factor === f && b.mean != null)
          if (beliefs.length === 0) return null
          const relative = beliefs[0]!.unit === 'PERCENT'
          return (
            <Intervals
              key={f}
              title={`${factors(f)}: ${relative ? 'against the average' : `${metricName(shown.metric).toLowerCase()} of a post`}`}
              rows={beliefs.map((b) => ({
                name: nameOf(b, accounts),
                mean: b.mean!,
                low: b.low!,
                high: b.high!,
                count: b.observations,
                preferred: b.preferred,
              }))}
              level={`${count(100 * learning.credibleLevel)} %`}
              zero={relative ? 'The average' : '0'}
              format={relative ? (v) => `${v >= 0 ? '+' : '−'}${count(Math.abs(v))} %` : (v) => figure(shown.metric, v)}
            />
          )
        })}
      </div>
    </Card>
  )
}

// nameOf returns what a choice is called; accounts are told apart by number.
function nameOf(b: Belief, accounts: string[]) {
  if (b.platform)
    return platformName(b.platform) + (b.integrationId && accounts.length > 1 ? `, account ${accounts.indexOf(b.integrationId) + 1}` : '')
  if (b.hours) return `${b.hours} h`
  return b.angle ? angleName(b.angle) : inWords(b.format ?? '')
}
