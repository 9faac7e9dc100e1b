import { graphql, useFragment } from 'react-relay'
import type { Feed_mission$key } from '../../__generated__/Feed_mission.graphql'
import type { Json } from '../../core/json'
import type { EventType } from '../../core/enums'
import { eventName, stageName } from '../../core/words'
import { Card } from '../../ui/parts'
import { platformIn, platformName } from '../../ui/platform'
import { Time } from '../../ui/time'

// Feed is what happened to a mission last.
export function Feed({ mission }: { mission: Feed_mission$key }) {
  const m = useFragment(
    graphql`
      fragment Feed_mission on Mission {
        constraints {
          timezone
        }
        events(first: 12) {
          edges {
            node {
              id
              type
              createdAt
              data
            }
          }
        }
      }
    `,
    mission,
  )
  return (
    <Card title="Recent activity">
      <ol className="feed small" aria-label="Recent activity">
        {m.events?.edges.map(({ node: e }) => (
          <li key={e.id} className={tone(e.type)}>
            <span className="grow">
              {eventName(e.type)}
              {detail(e.data)}
            </span>
            <span className="xsmall muted nowrap">
              <Time at={e.createdAt} zone={m.constraints.timezone} />
            </span>
          </li>
        ))}
      </ol>
    </Card>
  )
}

const tone = (t: EventType) => (/FAILED|EXPIRED/.test(t) ? 'bad' : /PUBLISHED|ACHIEVED|COMPLETED/.test(t) ? 'ok' : '')

// detail says what an event's payload adds to its name.
function detail(data: Json) {
  if (typeof data.stage === 'string') return `: ${stageName(data.stage.toUpperCase())}`
  const platform = platformIn(data)
  if (platform) return ` on ${platformName(platform)}`
  return ''
}
