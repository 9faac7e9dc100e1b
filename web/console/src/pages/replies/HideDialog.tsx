import { graphql } from 'react-relay'
import type { HideDialogMutation } from '../../__generated__/HideDialogMutation.graphql'
import { useAction } from '../../core/action'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { platformName } from '../../ui/platform'

const mutation = graphql`
  mutation HideDialogMutation($id: ID!) {
    hideReply(id: $id) {
      reply {
        ...Reply_reply
        allowedActions
      }
    }
  }
`

// HideDialog asks whether a reply is to be hidden, which can't be taken back here.
export function HideDialog({ id, platform = '', onClose }: { id: string; platform?: string; onClose: () => void }) {
  const [run, busy] = useAction<HideDialogMutation>(mutation)
  return (
    <Dialog
      title="Hide this reply?"
      onClose={onClose}
      onSubmit={() => busy || run({ variables: { id }, done: onClose })}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger primary" type="submit" busy={busy} data-first>
            Hide it
          </Button>
        </>
      }
    >
      <p>{platformName(platform)} hides it from readers. It can be shown again only there.</p>
    </Dialog>
  )
}
