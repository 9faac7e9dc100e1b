import { useState } from 'react'
import { graphql } from 'react-relay'
import type { HoldButtonMutation } from '../../__generated__/HoldButtonMutation.graphql'
import { useAction } from '../../core/action'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Input } from '../../ui/field'

// HoldButton stops everything that would go out, after a reason was given.
export function HoldButton() {
  const [asking, setAsking] = useState(false)
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [run, busy] = useAction<HoldButtonMutation>(graphql`
    mutation HoldButtonMutation($input: HoldTenantInput!) {
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
      done: () => (setAsking(false), setReason('')),
      failed: (x) => (setProblem(x.message), true),
    })
  return (
    <>
      <Button onClick={() => setAsking(true)}>Hold everything …</Button>
      {asking && (
        <Dialog
          title="Hold everything?"
          about="Nothing goes out on any account until the hold is released. Running missions are paused, and go on where they stopped."
          onClose={() => setAsking(false)}
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
      )}
    </>
  )
}
