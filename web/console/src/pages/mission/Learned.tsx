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
import { Guidance } from './Guidance'

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
          ...Guidance_mission
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
  if (!mission || !learning) {
    return (
      <Card title="What was learned">
        <Empty icon="activity" title="Nothing yet">
          At the end of each cycle the mission learns which platforms, angles, formats and hours work best.
        </Empty>
        {mission && <Guidance mission={mission} />}
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
        <Claims beliefs={shown.beliefs} metric={shown.metric} accounts={accounts} posts={shown.observations} />
        <Guidance mission={mission} />
        <details>
          <summary className="small">Show the evidence</summary>
          <div className="stack">
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
        </details>
      </div>
    </Card>
  )
}

// strengthOf returns how much a belief can be relied on: its interval excludes the average, or lies
// mostly on one side of it, or not even that.
function strengthOf(b: Belief): 'Solid' | 'Promising' | 'Too early to say' {
  const [mean, low, high] = [b.mean ?? 0, b.low ?? 0, b.high ?? 0]
  if (low > 0 || high < 0) return 'Solid'
  const beyond = mean >= 0 ? -low : high
  return Math.abs(mean) >= 5 && beyond < Math.abs(mean) ? 'Promising' : 'Too early to say'
}

const rank = { Solid: 0, Promising: 1, 'Too early to say': 2 }

// Claims say in at most three lines what works, how sure that is, and what the plan does with it.
function Claims({ beliefs, metric, accounts, posts }: { beliefs: readonly Belief[]; metric: string; accounts: string[]; posts: number }) {
  const claims = beliefs
    .filter((b) => b.unit === 'PERCENT' && b.mean != null && Math.round(b.mean) !== 0)
    .map((b) => ({ b, strength: strengthOf(b) }))
    .sort((x, y) => rank[x.strength] - rank[y.strength] || Math.abs(y.b.mean!) - Math.abs(x.b.mean!))
    .slice(0, 3)
  if (claims.length === 0) return <p className="small muted">After {plural(posts, 'post')} it is too early to say what works.</p>
  return (
    <ul className="claims" aria-label="What works so far">
      {claims.map(({ b, strength }) => (
        <li key={`${b.factor} ${nameOf(b, accounts)}`}>
          <span className="strong">{nameOf(b, accounts)}</span>: {count(Math.abs(Math.round(b.mean!)))} % {b.mean! > 0 ? 'more' : 'less'}{' '}
          {metricName(metric).toLowerCase()} than the average.{' '}
          <span className={strength === 'Solid' ? 'ok' : 'muted'}>
            {strength}, {plural(b.observations, 'post')}.
          </span>{' '}
          {b.preferred && <span className="muted">The plan uses it more often.</span>}
        </li>
      ))}
    </ul>
  )
}

// nameOf returns what a choice is called; accounts are told apart by number.
function nameOf(b: Belief, accounts: string[]) {
  if (b.platform)
    return platformName(b.platform) + (b.integrationId && accounts.length > 1 ? `, account ${accounts.indexOf(b.integrationId) + 1}` : '')
  if (b.hours) return `${b.hours} h`
  return b.angle ? angleName(b.angle) : inWords(b.format ?? '')
}
