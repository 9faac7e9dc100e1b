import { useState } from 'react'
import { graphql } from 'react-relay'
import type { BulkApproveMutation } from '../../__generated__/BulkApproveMutation.graphql'
import type { BulkCancelMutation } from '../../__generated__/BulkCancelMutation.graphql'
import type { BulkMoveMutation } from '../../__generated__/BulkMoveMutation.graphql'
import { useAction } from '../../core/action'
import { dateOf, plural, readable } from '../../core/format'
import { useKeys } from '../../core/keys'
import { toast } from '../../core/toast'
import { addDays, clockIn, instant } from '../../core/zone'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Input } from '../../ui/field'
import { Choices } from '../../ui/menu'

graphql`
  fragment Bulk_result on ReviewResult {
    content {
      id
      status
      scheduledAt
      allowedActions
      updatedAt
    }
    error {
      message
    }
  }
`
const approve = graphql`
  mutation BulkApproveMutation($items: [ReviewedInput!]!) {
    approveContents(items: $items) {
      results {
        ...Bulk_result @relay(mask: false)
      }
    }
  }
`
const move = graphql`
  mutation BulkMoveMutation($items: [RescheduledInput!]!) {
    rescheduleContents(items: $items) {
      results {
        ...Bulk_result @relay(mask: false)
      }
    }
  }
`
const cancel = graphql`
  mutation BulkCancelMutation($ids: [ID!]!) {
    cancelContents(ids: $ids) {
      results {
        ...Bulk_result @relay(mask: false)
      }
    }
  }
`

type Post = {
  readonly id: string
  readonly revision: number
  readonly scheduledAt?: string | null
  readonly allowedActions: readonly string[]
  readonly mission: { readonly constraints: { readonly timezone: string } } | null | undefined
}

type Results = readonly { readonly error: { readonly message: string } | null | undefined }[]

// say says what became of several posts, and the first reason of those that stay as they are.
function say(results: Results, done: string, undo?: () => void) {
  const refused = results.flatMap((r) => (r.error ? readable(r.error.message) : []))
  const all = plural(results.length, 'post')
  if (refused.length === 0) toast(`${all} ${done}.`, undo && { action: { label: 'Undo', run: undo } })
  else toast(`${results.length - refused.length} of ${all} ${done}. ${refused[0]}`, { tone: 'bad' })
}

// The most posts of one change.
const most = 100

// Bulk is what can be done with the selected posts together.
export function Bulk({ posts, onDone }: { posts: readonly Post[]; onDone: () => void }) {
  const [open, setOpen] = useState<'move' | 'cancel' | null>(null)
  const [runApprove, approving] = useAction<BulkApproveMutation>(approve)
  const [runMove, moving] = useAction<BulkMoveMutation>(move)
  const [runCancel, canceling] = useAction<BulkCancelMutation>(cancel)
  const of = (action: string) => posts.filter((c) => c.allowedActions.includes(action)).slice(0, most)
  const reviewed = of('APPROVE')
  const movable = of('RESCHEDULE').filter((c) => c.scheduledAt)
  const cancelable = of('CANCEL')
  const close = () => setOpen(null)
  const doApprove = () =>
    runApprove({
      variables: { items: reviewed.map(({ id, revision }) => ({ id, revision })) },
      done: (r) => (say(r.approveContents?.results ?? [], 'approved'), onDone()),
    })
  const moveTo = (items: { id: string; scheduledAt: string }[], done: string, undo?: () => void) =>
    runMove({ variables: { items }, done: (r) => (say(r.rescheduleContents?.results ?? [], done, undo), onDone()) })
  const doMove = (days: number) => {
    close()
    const before = movable.map(({ id, scheduledAt }) => ({ id, scheduledAt: scheduledAt! }))
    moveTo(
      movable.map((c) => ({ id: c.id, scheduledAt: shifted(Date.parse(c.scheduledAt!), days, c.mission?.constraints.timezone ?? 'UTC') })),
      'moved',
      () => moveTo(before, 'moved back'),
    )
  }
  const doCancel = () => {
    close()
    runCancel({
      variables: { ids: cancelable.map((c) => c.id) },
      done: (r) => (say(r.cancelContents?.results ?? [], 'canceled'), onDone()),
    })
  }
  useKeys([{ keys: 'Shift+A', label: 'Approve the selected posts', run: doApprove, off: reviewed.length === 0 || approving }])
  return (
    <div className="bulk row wrap" role="group" aria-label="Selected posts">
      <span className="small strong grow">{plural(posts.length, 'post')} selected</span>
      <Button look="quiet" onClick={onDone}>
        Clear
      </Button>
      {cancelable.length > 0 && (
        <Button look="danger" busy={canceling} onClick={() => setOpen('cancel')}>
          Cancel {cancelable.length}
        </Button>
      )}
      {movable.length > 0 && (
        <Button busy={moving} onClick={() => setOpen('move')}>
          Move {movable.length}
        </Button>
      )}
      {reviewed.length > 0 && (
        <Button look="primary" icon="check" shortcut="Shift+A" busy={approving} onClick={doApprove}>
          Approve {reviewed.length}
        </Button>
      )}
      {open === 'move' && <MoveDialog posts={movable.length} onClose={close} onMove={doMove} />}
      {open === 'cancel' && (
        <Dialog
          title={`Cancel ${plural(cancelable.length, 'post')}?`}
          onClose={close}
          onSubmit={doCancel}
          footer={<Choices no="Keep them" yes="Cancel the posts" danger onNo={close} />}
        >
          <p>They won’t be published. Each can be given a new slot later.</p>
        </Dialog>
      )}
    </div>
  )
}

function MoveDialog({ posts, onClose, onMove }: { posts: number; onClose: () => void; onMove: (days: number) => void }) {
  const [days, setDays] = useState('1')
  const n = Number(days)
  const wrong = !Number.isInteger(n) || n === 0 || Math.abs(n) > 365
  const [tried, setTried] = useState(false)
  return (
    <Dialog
      title={`Move ${plural(posts, 'post')}`}
      onClose={onClose}
      onSubmit={() => (wrong ? setTried(true) : onMove(n))}
      footer={<Choices no="Cancel" yes="Move" onNo={onClose} />}
    >
      <Input
        type="number"
        label="Days"
        hint="Each goes out so many days later, or earlier with a minus, at the same time of its mission’s day."
        problem={tried && wrong ? 'Enter a whole number of days, up to 365, other than 0.' : undefined}
        value={days}
        onChange={(e) => setDays(e.target.value)}
      />
    </Dialog>
  )
}

// shifted returns a time some days later at the same time of day in a zone.
function shifted(at: number, days: number, zone: string) {
  const { hour, minute } = clockIn(at, zone)
  return new Date(instant(addDays(dateOf(at, zone), days), hour, minute, zone)).toISOString()
}
