import { graphql } from 'react-relay'
import type { useAsideDoneMutation } from '../../__generated__/useAsideDoneMutation.graphql'
import type { useAsideReopenMutation } from '../../__generated__/useAsideReopenMutation.graphql'
import { useAction } from '../../core/action'
import { toast } from '../../core/toast'

const done = graphql`
  mutation useAsideDoneMutation($id: ID!) {
    markReplyDone(id: $id) {
      reply {
        ...Reply_reply
        allowedActions
      }
    }
  }
`

const reopen = graphql`
  mutation useAsideReopenMutation($id: ID!) {
    reopenReply(id: $id) {
      reply {
        ...Reply_reply
        allowedActions
      }
    }
  }
`

// useAside returns a function that sets a reply aside, or takes it up again.
export function useAside() {
  const [set, setting] = useAction<useAsideDoneMutation>(done)
  const [open, opening] = useAction<useAsideReopenMutation>(reopen)
  return (id: string, aside: boolean) => {
    if (setting || opening) return
    if (aside)
      set({ variables: { id }, done: () => toast('Set aside.', { action: { label: 'Undo', run: () => open({ variables: { id } }) } }) })
    else open({ variables: { id }, done: () => toast('It is new again.') })
  }
}
