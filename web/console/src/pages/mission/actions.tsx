import { useState } from 'react'
import { graphql, useFragment } from 'react-relay'
import { useLocation } from 'wouter'
import type { actions_mission$key } from '../../__generated__/actions_mission.graphql'
import type { actionsCompleteMutation } from '../../__generated__/actionsCompleteMutation.graphql'
import type { actionsDeleteMutation } from '../../__generated__/actionsDeleteMutation.graphql'
import type { actionsDuplicateMutation } from '../../__generated__/actionsDuplicateMutation.graphql'
import type { actionsPauseMutation } from '../../__generated__/actionsPauseMutation.graphql'
import type { actionsResumeMutation } from '../../__generated__/actionsResumeMutation.graphql'
import type { actionsRetryMutation } from '../../__generated__/actionsRetryMutation.graphql'
import type { actionsStartMutation } from '../../__generated__/actionsStartMutation.graphql'
import { useAction } from '../../core/action'
import { dateTime } from '../../core/format'
import { useKeys } from '../../core/keys'
import { useMay } from '../../core/session'
import { toast } from '../../core/toast'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { useHeld } from '../../ui/hold'
import { Choices, Menu, type MenuItem } from '../../ui/menu'

const start = graphql`
  mutation actionsStartMutation($id: ID!) {
    startMission(id: $id) {
      mission {
        ...actions_mission
        ...Mission_head
      }
    }
  }
`
const pause = graphql`
  mutation actionsPauseMutation($id: ID!) {
    pauseMission(id: $id) {
      mission {
        ...actions_mission
        ...Mission_head
      }
    }
  }
`
const resume = graphql`
  mutation actionsResumeMutation($id: ID!) {
    resumeMission(id: $id) {
      adjustedEndsAt
      mission {
        ...actions_mission
        ...Mission_head
      }
    }
  }
`
const complete = graphql`
  mutation actionsCompleteMutation($id: ID!) {
    completeMission(id: $id) {
      mission {
        ...actions_mission
        ...Mission_head
      }
    }
  }
`
const retry = graphql`
  mutation actionsRetryMutation($id: ID!) {
    retryMission(id: $id) {
      mission {
        id
        job {
          ...Pipeline_job
        }
      }
    }
  }
`
const duplicate = graphql`
  mutation actionsDuplicateMutation($id: ID!) {
    duplicateMission(id: $id) {
      mission {
        id
        name
      }
    }
  }
`
const remove = graphql`
  mutation actionsDeleteMutation($id: ID!) {
    deleteMission(id: $id) {
      deletedId @deleteRecord
    }
  }
`

// useRetry returns a function that runs the failed job of a mission again.
export function useRetry(id: string) {
  const [run] = useAction<actionsRetryMutation>(retry)
  return () => run({ variables: { id }, done: () => toast('The failed stage runs again.') })
}

// Actions are the buttons that a mission's state allows.
export function Actions({ mission }: { mission: actions_mission$key }) {
  const m = useFragment(
    graphql`
      fragment actions_mission on Mission {
        id
        name
        status
        endsAt
        allowedActions
        constraints {
          timezone
        }
        job {
          id
          status
        }
      }
    `,
    mission,
  )
  const [, go] = useLocation()
  const may = useMay('MISSIONS_WRITE')
  const [asking, setAsking] = useState<'complete' | 'delete' | null>(null)
  const [runStart, starting] = useAction<actionsStartMutation>(start)
  const [runPause, pausing] = useAction<actionsPauseMutation>(pause)
  const [runResume, resuming] = useAction<actionsResumeMutation>(resume)
  const [runComplete, completing] = useAction<actionsCompleteMutation>(complete)
  const [runDuplicate] = useAction<actionsDuplicateMutation>(duplicate)
  const [runDelete, deleting] = useAction<actionsDeleteMutation>(remove)
  const again = useRetry(m.id)
  const variables = { id: m.id }
  const zone = m.constraints.timezone
  // The release of a hold resumes what it paused; nothing can be resumed before.
  const held = useHeld()
  const allows = (a: (typeof m.allowedActions)[number]) => may && m.allowedActions.includes(a) && !(held && a === 'RESUME')
  const doPause = () => runPause({ variables, done: () => toast('Paused. Nothing is written or published until you resume.') })
  const doResume = () =>
    runResume({ variables, done: (r) => toast(`Resumed. It now ends on ${dateTime(r.resumeMission!.adjustedEndsAt, zone)}.`) })
  useKeys([
    { keys: 'p', label: 'Pause', run: doPause, off: !allows('PAUSE') },
    { keys: 'p', label: 'Resume', run: doResume, off: !allows('RESUME') },
  ])
  if (!may) return null
  const items: MenuItem[] = [
    ...(m.job?.status === 'FAILED' && m.status === 'ACTIVE'
      ? [{ label: 'Retry the failed stage', icon: 'redo' as const, onSelect: again }]
      : []),
    {
      label: 'Duplicate',
      icon: 'copy',
      onSelect: () =>
        runDuplicate({
          variables,
          done: (r) => (toast('A copy was created as a draft.'), go(`/missions/${r.duplicateMission!.mission.id}`)),
        }),
    },
    'line',
    {
      label: 'Complete now',
      icon: 'flag',
      disabled: allows('COMPLETE') ? undefined : 'Only a mission that has started can be completed',
      onSelect: () => setAsking('complete'),
    },
    {
      label: 'Delete',
      icon: 'trash',
      danger: true,
      disabled: allows('DELETE') ? undefined : 'Pause or complete it first',
      onSelect: () => setAsking('delete'),
    },
  ]
  return (
    <>
      {allows('START') && (
        <Button look="primary" icon="play" busy={starting} onClick={() => runStart({ variables, done: () => toast('Started.') })}>
          Start
        </Button>
      )}
      {allows('PAUSE') && (
        <Button icon="pause" busy={pausing} shortcut="p" onClick={doPause}>
          Pause
        </Button>
      )}
      {allows('RESUME') && (
        <Button look="primary" icon="play" busy={resuming} shortcut="p" onClick={doResume}>
          Resume
        </Button>
      )}
      <Menu label="More actions" items={items} />
      {asking === 'complete' && (
        <Dialog
          title={`Complete “${m.name}” now?`}
          onClose={() => setAsking(null)}
          footer={
            <Choices
              no="Keep it running"
              yes="Complete it"
              busy={completing}
              onNo={() => setAsking(null)}
              onYes={() => runComplete({ variables, done: () => (setAsking(null), toast('Completed.')) })}
            />
          }
        >
          <p>
            It ends now instead of {m.endsAt ? `on ${dateTime(m.endsAt, zone)}` : 'at its date'}. Posts that aren’t published yet are
            canceled. This can’t be undone.
          </p>
        </Dialog>
      )}
      {asking === 'delete' && (
        <Dialog
          title={`Delete “${m.name}”?`}
          onClose={() => setAsking(null)}
          footer={
            <Choices
              no="Keep it"
              yes="Delete it"
              danger
              busy={deleting}
              onNo={() => setAsking(null)}
              onYes={() => runDelete({ variables, done: () => (go('/missions', { replace: true }), toast('Deleted.')) })}
            />
          }
        >
          <p>Its posts and results are deleted too. Published posts stay on their platforms. This can’t be undone.</p>
        </Dialog>
      )}
    </>
  )
}
