import { graphql, useFragment } from 'react-relay'
import type { Guidance_mission$data, Guidance_mission$key } from '../../__generated__/Guidance_mission.graphql'
import type { GuidanceMutation } from '../../__generated__/GuidanceMutation.graphql'
import type { GuidanceRepeatMutation } from '../../__generated__/GuidanceRepeatMutation.graphql'
import { useAction } from '../../core/action'
import type { Angle } from '../../core/enums'
import { plural } from '../../core/format'
import { useMay } from '../../core/session'
import { toast } from '../../core/toast'
import { angleName } from '../../core/words'

const mutation = graphql`
  mutation GuidanceMutation($id: ID!, $guidance: GuidanceInput) {
    updateMission(id: $id, input: { constraints: { guidance: $guidance } }) {
      mission {
        ...Guidance_mission
      }
    }
  }
`

const repeatMutation = graphql`
  mutation GuidanceRepeatMutation($id: ID!, $evergreen: EvergreenInput) {
    updateMission(id: $id, input: { constraints: { evergreen: $evergreen } }) {
      mission {
        ...Guidance_mission
      }
    }
  }
`

// cooldowns are the days after which posts may be repeated, beside those that the mission has.
const cooldowns = [30, 60, 90, 180]

type Given = NonNullable<Guidance_mission$data['constraints']['guidance']>
type Kind = 'Angles' | 'Hours'

const kinds: { kind: Kind; title: string; choices: readonly string[]; name: (choice: string) => string }[] = [
  { kind: 'Angles', title: 'Angle', choices: angleName.keys, name: angleName },
  {
    kind: 'Hours',
    title: 'Time of day',
    choices: Array.from({ length: 8 }, (_, i) => [3 * i, 3 * i + 3].map((h) => String(h).padStart(2, '0')).join('-')),
    name: (hours) => `${hours} h`,
  },
]

// Guidance is what a person has the mission's plans prefer and avoid; the rest is learned.
export function Guidance({ mission }: { mission: Guidance_mission$key }) {
  const m = useFragment(
    graphql`
      fragment Guidance_mission on Mission {
        id
        status
        constraints {
          guidance {
            preferAngles
            avoidAngles
            preferHours
            avoidHours
          }
          evergreen {
            cooldownDays
            share
            rewrite
          }
        }
      }
    `,
    mission,
  )
  const may = useMay('MISSIONS_WRITE') && m.status !== 'COMPLETED'
  const [run, busy] = useAction<GuidanceMutation>(mutation)
  const [repeat, repeating] = useAction<GuidanceRepeatMutation>(repeatMutation)
  const evergreen = m.constraints.evergreen
  const given: Given = m.constraints.guidance ?? { preferAngles: [], avoidAngles: [], preferHours: [], avoidHours: [] }
  const said = (['prefer', 'avoid'] as const).flatMap((wish) => {
    const names = kinds.flatMap(({ kind, name }) => (given[`${wish}${kind}`] as readonly string[]).map(name))
    return names.length > 0 ? `${wish === 'prefer' ? 'prefers' : 'avoids'} ${names.join(', ')}` : []
  })
  const about = said.length > 0 ? `The plan ${said.join(', and ')}.` : 'The plan follows what it learns.'
  if (!may)
    return (
      <p className="small muted">
        {about}
        {evergreen && ` The best posts are repeated after ${plural(evergreen.cooldownDays, 'day')}.`}
      </p>
    )
  const choose = (kind: Kind, choice: string, wish: string) => {
    const without = (list: readonly string[]) => list.filter((c) => c !== choice)
    const next: Record<string, readonly string[]> = {
      ...given,
      [`prefer${kind}`]: without(given[`prefer${kind}`]),
      [`avoid${kind}`]: without(given[`avoid${kind}`]),
    }
    if (wish) next[`${wish}${kind}`] = [...next[`${wish}${kind}`]!, choice]
    run({
      variables: { id: m.id, guidance: Object.values(next).some((l) => l.length > 0) ? (next as Given) : null },
      done: () => toast('Saved. The next plan follows it.'),
    })
  }
  const days = [...new Set([...cooldowns, ...(evergreen ? [evergreen.cooldownDays] : [])])].sort((a, b) => a - b)
  return (
    <>
      <label className="row wrap small">
        Repeat the best posts
        <select
          className="input short"
          aria-disabled={repeating || undefined}
          value={evergreen?.cooldownDays ?? ''}
          onChange={(e) => {
            if (repeating) return
            const cooldownDays = Number(e.target.value)
            repeat({
              variables: { id: m.id, evergreen: cooldownDays ? { ...evergreen, cooldownDays } : null },
              done: () => toast('Saved. The next plan follows it.'),
            })
          }}
        >
          <option value="">never</option>
          {days.map((d) => (
            <option key={d} value={d}>
              after {plural(d, 'day')}
            </option>
          ))}
        </select>
      </label>
      <details>
        <summary className="small">Prefer or avoid. {about}</summary>
        <div className="guided">
          {kinds.map(({ kind, title, choices, name }) => (
            <table key={kind} className="table">
              <thead>
                <tr>
                  <th scope="col">{title}</th>
                  <th scope="col">The plan</th>
                </tr>
              </thead>
              <tbody>
                {choices.map((c) => (
                  <tr key={c}>
                    <th scope="row">{name(c)}</th>
                    <td>
                      <select
                        className="input short"
                        aria-label={name(c)}
                        aria-disabled={busy || undefined}
                        value={wishFor(given, kind, c)}
                        onChange={(e) => !busy && choose(kind, c, e.target.value)}
                      >
                        <option value="">learns</option>
                        <option value="prefer">prefers it</option>
                        <option value="avoid">avoids it</option>
                      </select>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          ))}
        </div>
      </details>
    </>
  )
}

function wishFor(given: Given, kind: Kind, choice: string) {
  if (given[`prefer${kind}`].includes(choice as Angle)) return 'prefer'
  return given[`avoid${kind}`].includes(choice as Angle) ? 'avoid' : ''
}
