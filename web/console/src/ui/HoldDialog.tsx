import { useState } from 'react'
import { graphql } from 'react-relay'
import type { HoldDialogMutation } from '../__generated__/HoldDialogMutation.graphql'
import { useAction } from '../core/action'
import { Button } from './button'
import { Dialog } from './dialog'
import { Input } from './field'

// HoldDialog stops everything that would go out, after a reason was given.
export default function HoldDialog({ onClose }: { onClose: () => void }) {
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
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
      variables: { input: { reason } },
      done: onClose,
      failed: (x) => (setProblem(x.message), true),
    })
  return (
    <Dialog
      title="Hold everything?"
      about="Nothing goes out on any account until the hold is released. Running missions are paused, and go on where they stopped."
      onClose={onClose}
      onSubmit={hold}
      footer={
        <Button look="danger" type="submit" busy={busy}>
          Hold everything
        </Button>
      }
    >
      <Input
        label="Reason"
        hint="Everyone in the organization sees it."
        value={reason}
        maxLength={500}
        problem={problem}
        onChange={(e) => (setReason(e.target.value), setProblem(null))}
      />
    </Dialog>
  )
}
