import { graphql } from 'react-relay'
import type { useSendMutation, useSendMutation$data } from '../../__generated__/useSendMutation.graphql'
import { useAction } from '../../core/action'
import type { Platform } from '../../core/enums'
import { day, readable, time } from '../../core/format'
import { platformName } from '../../ui/platform'

const mutation = graphql`
  mutation useSendMutation($input: CreateContentsInput!) {
    createContents(input: $input) {
      results {
        content {
          id
          status
          scheduledAt
        }
        error {
          message
        }
      }
    }
  }
`

type Items = useSendMutation['variables']['input']['items']
type Result = NonNullable<useSendMutation$data['createContents']>['results'][number]

// Outcome is what became of the posts: what is said of it, which platforms refused theirs, and
// when the others go out.
export type Outcome = { said: string; refused: Partial<Record<Platform, string>>; at: string | null }

// useSend returns a function that makes the posts of several platforms, and whether it is under way.
export function useSend(zone: string) {
  const [run, busy] = useAction<useSendMutation>(mutation)
  const send = (missionId: string, items: Items, done: (o: Outcome) => void, failed: (message: string) => void) =>
    run({
      variables: { input: { missionId, items } },
      done: (r) => {
        const results = r.createContents?.results ?? []
        done(
          outcomeOf(
            items.map((i) => i.platform),
            results,
            zone,
          ),
        )
      },
      failed: (e) => (failed(e.message), true),
    })
  return [send, busy] as const
}

const when = (t: string, zone: string) => `${day(t, zone)}, ${time(t, zone)}`

const names = (platforms: readonly string[]) => platforms.map(platformName).join(', ')

function outcomeOf(platforms: readonly Platform[], results: readonly Result[], zone: string): Outcome {
  const refused: Outcome['refused'] = {}
  const groups = new Map<string, Platform[]>()
  let at: string | null = null
  platforms.forEach((p, i) => {
    const { content: c, error } = results[i] ?? {}
    if (!c) return (refused[p] = error ? readable(error.message, (t) => when(t, zone)) : 'It wasn’t made.')
    at ??= c.scheduledAt ?? null
    const out = c.scheduledAt ? ` for ${when(c.scheduledAt, zone)}` : ''
    const fate = c.status === 'PENDING_REVIEW' ? `added to the inbox for review${out && `,${out}`}` : `scheduled${out}`
    groups.set(fate, [...(groups.get(fate) ?? []), p])
  })
  const said = [...groups].map(([fate, of]) => `${names(of)}: ${fate}.`)
  const kept = Object.keys(refused)
  if (kept.length > 0) said.push(`Not made: ${names(kept)}.`)
  return { said: said.join(' '), refused, at }
}
