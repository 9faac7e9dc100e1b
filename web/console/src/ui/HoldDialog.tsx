import { graphql } from 'react-relay'
import type { HoldDialogMutation } from '../__generated__/HoldDialogMutation.graphql'
import { useAction } from '../core/action'
import { useEdits } from '../core/edits'
import { useProblems } from '../core/problems'
import { Button } from './button'
import { Dialog } from './dialog'
import { Input } from './field'
import { Problem } from './problem'

// HoldDialog stops everything that would go out, after a reason was given.
export default function HoldDialog({ onClose }: { onClose: () => void }) {
  const { values, typed, set, forget } = useEdits('hold', { reason: '' })
  const { of, rest, clear, failed } = useProblems('reason')
  const [run, busy] = useAction<HoldDialogMutation>(graphql`
    mutation HoldDialogMutation($input: HoldTenantInput!) {
      holdTenant(input: $input) {
        hold {
          since
        }
      }
    }
  `)
  const hold = () =>
    run({
      variables: { input: { reason: values.reason } },
      done: () => (forget(), onClose()),
      failed,
    })
  return (
    <Dialog
      title="Hold everything?"
      about="Nothing goes out on any account until the hold is released. Running missions are paused, and go on where they stopped."
      onClose={onClose}
      onSubmit={hold}
      footer={
        <>
          {typed && <Button onClick={() => (forget(), onClose())}>Discard</Button>}
          <Button look="danger" type="submit" busy={busy}>
            Hold everything
          </Button>
        </>
      }
    >
      <Input
        label="Reason"
        hint="Everyone in the organization sees it."
        value={values.reason}
        maxLength={500}
        problem={of('reason')}
        onChange={(e) => (set({ reason: e.target.value }), clear())}
      />
      <Problem of={rest} />
    </Dialog>
  )
}
