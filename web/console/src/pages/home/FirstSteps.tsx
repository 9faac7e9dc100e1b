import { graphql } from 'react-relay'
import { useLocation } from 'wouter'
import type { FirstStepsMutation } from '../../__generated__/FirstStepsMutation.graphql'
import { useAction } from '../../core/action'
import { clockSpeed } from '../../core/clock'
import { count, span } from '../../core/format'
import { useMay } from '../../core/session'
import { Button, LinkButton } from '../../ui/button'
import { Empty, Note } from '../../ui/parts'

const mutation = graphql`
  mutation FirstStepsMutation($input: CreateMissionInput!) {
    createMission(input: $input) {
      mission {
        id
      }
    }
  }
`

// sample is a mission to look at: it posts to the built-in sandbox until accounts are
// connected.
const sample = {
  name: 'A first look',
  description: 'A sample mission. Pause, change or delete it as you like.',
  objectives: ['Show how our product saves time', 'Win readers for the newsletter'],
  platforms: ['LINKEDIN', 'MASTODON', 'BLUESKY'] as const,
  constraints: {
    postsPerDay: 3,
    requireApproval: true,
    tone: 'friendly, concrete',
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  },
  kpis: [{ metric: 'LIKES', target: 150 }] as const,
  durationDays: 14,
  startImmediately: true,
}

// FirstSteps is what a tenant without missions sees.
export function FirstSteps() {
  const [, go] = useLocation()
  const [run, busy] = useAction<FirstStepsMutation>(mutation)
  const may = useMay('MISSIONS_WRITE')
  const start = () => run({ variables: { input: sample }, done: (r) => go(`/missions/${r.createMission!.mission.id}`) })
  return (
    <div className="page home">
      <h1 className="hidden">Home</h1>
      <Empty
        icon="mission"
        title="Start with a mission"
        actions={
          may && (
            <>
              <LinkButton href="/missions/new" look="primary" icon="plus" big>
                New mission
              </LinkButton>
              <Button big busy={busy} icon="play" onClick={start}>
                Start a sample
              </Button>
            </>
          )
        }
      >
        A mission has objectives, platforms and a schedule. It writes posts, asks you to approve them, publishes and measures them, and
        learns what works. Without connected accounts it posts to a sandbox that nobody sees.
      </Empty>
      {clockSpeed() > 1 && (
        <Note>
          <strong>The clock is fast:</strong> {count(clockSpeed())} times real time. A day takes {span(86_400_000 / clockSpeed())}, so that
          a mission’s days pass while you watch.
        </Note>
      )}
    </div>
  )
}
