import { useReducer, useRef, useState } from 'react'
import type { decisionsApproveAllMutation } from '../../__generated__/decisionsApproveAllMutation.graphql'
import type { decisionsApproveMutation } from '../../__generated__/decisionsApproveMutation.graphql'
import type { decisionsRejectMutation } from '../../__generated__/decisionsRejectMutation.graphql'
import { conflicted, useAction } from '../../app/action'
import { serviceNow } from '../../app/clock'
import { plural } from '../../app/format'
import { toast } from '../../app/toast'
import * as mutations from './decisions'

// A Text is a post's text as a reviewer has seen it.
export type Text = { id: string; revision: number; text: string }
export type Decisions = ReturnType<typeof useDecisions>

// useDecisions returns how a reviewer decides. after is called with the posts that
// leave the list. stale is the text that was reviewed of a post that turned out to have
// another one now.
export function useDecisions(after: (gone: ReadonlySet<string>) => void) {
  const [runApprove] = useAction<decisionsApproveMutation>(mutations.approve)
  const [runApproveAll] = useAction<decisionsApproveAllMutation>(mutations.approveAll)
  const [runReject] = useAction<decisionsRejectMutation>(mutations.reject)
  const [stale, setStale] = useState<Text | null>(null)
  const texts = useRef(new Map<string, Text>())
  const [, again] = useReducer((n: number) => n + 1, 0)
  const now = () => new Date(serviceNow()).toISOString()
  const changed = (seen: Text) => (error: Error) => {
    if (!conflicted(error)) return false
    setStale(seen)
    return true
  }
  return {
    stale,
    setStale,
    // seen returns the text of a post that the reviewer has before their eyes: the one
    // that they opened, until they were shown the change to a newer one.
    seen({ id, revision, text }: Text) {
      const known = texts.current.get(id)
      if (known) return known
      const first = { id, revision, text }
      texts.current.set(id, first)
      return first
    },
    // saw records that a reviewer was shown a text.
    saw({ id, revision, text }: Text) {
      texts.current.set(id, { id, revision, text })
      again()
    },
    approve(seen: Text) {
      const { id, revision } = seen
      after(new Set([id]))
      runApprove({
        variables: { id, revision },
        optimistic: { approveContent: { content: { id, revision, status: 'APPROVED', updatedAt: now() } } },
        done: () => toast('Approved.'),
        failed: changed(seen),
      })
    },
    approveAll(posts: readonly { id: string; revision: number }[]) {
      const ids = posts.map((p) => p.id)
      after(new Set(ids))
      runApproveAll({
        variables: { ids },
        optimistic: { approveContents: { contents: posts.map(({ id, revision }) => ({ id, revision, status: 'APPROVED' as const, updatedAt: now() })) } },
        done: () => toast(`${plural(ids.length, 'post')} approved.`),
      })
    },
    reject(seen: Text, reason: string) {
      const { id, revision } = seen
      after(new Set([id]))
      runReject({
        variables: { id, revision, reason: reason || null },
        optimistic: { rejectContent: { content: { id, revision, status: 'REJECTED', rejectionReason: reason || null, updatedAt: now() } } },
        done: () => toast('Rejected.'),
        failed: changed(seen),
      })
    },
  }
}
