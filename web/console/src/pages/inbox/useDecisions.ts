import { useState } from 'react'
import type { decisionsApproveAllMutation } from '../../__generated__/decisionsApproveAllMutation.graphql'
import type { decisionsApproveMutation } from '../../__generated__/decisionsApproveMutation.graphql'
import type { decisionsRejectMutation } from '../../__generated__/decisionsRejectMutation.graphql'
import { conflicted, useAction } from '../../app/action'
import { serviceNow } from '../../app/clock'
import { plural } from '../../app/format'
import { toast } from '../../app/toast'
import * as mutations from './decisions'

export type Seen = { id: string; revision: number }
export type Decisions = ReturnType<typeof useDecisions>

// useDecisions returns how a reviewer decides. after is called with the posts that
// leave the list. stale is the post that turned out to have another text than the one
// that was reviewed.
export function useDecisions(after: (gone: ReadonlySet<string>) => void) {
  const [runApprove] = useAction<decisionsApproveMutation>(mutations.approve)
  const [runApproveAll] = useAction<decisionsApproveAllMutation>(mutations.approveAll)
  const [runReject] = useAction<decisionsRejectMutation>(mutations.reject)
  const [stale, setStale] = useState<string | null>(null)
  const now = () => new Date(serviceNow()).toISOString()
  const changed = (id: string) => (error: Error) => {
    if (!conflicted(error)) return false
    setStale(id)
    return true
  }
  return {
    stale,
    setStale,
    approve({ id, revision }: Seen) {
      after(new Set([id]))
      runApprove({
        variables: { id, revision },
        optimistic: { approveContent: { content: { id, revision, status: 'APPROVED', updatedAt: now() } } },
        done: () => toast('Approved.'),
        failed: changed(id),
      })
    },
    approveAll(posts: readonly Seen[]) {
      const ids = posts.map((p) => p.id)
      after(new Set(ids))
      runApproveAll({
        variables: { ids },
        optimistic: { approveContents: { contents: posts.map(({ id, revision }) => ({ id, revision, status: 'APPROVED' as const, updatedAt: now() })) } },
        done: () => toast(`${plural(ids.length, 'post')} approved.`),
      })
    },
    reject({ id, revision }: Seen, reason: string) {
      after(new Set([id]))
      runReject({
        variables: { id, revision, reason: reason || null },
        optimistic: { rejectContent: { content: { id, revision, status: 'REJECTED', rejectionReason: reason || null, updatedAt: now() } } },
        done: () => toast('Rejected.'),
        failed: changed(id),
      })
    },
  }
}
