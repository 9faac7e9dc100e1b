import { useCallback, useReducer, useRef, useState } from 'react'
import type { decisionsApproveAllMutation } from '../../__generated__/decisionsApproveAllMutation.graphql'
import type { decisionsApproveMutation } from '../../__generated__/decisionsApproveMutation.graphql'
import type { decisionsRejectAllMutation } from '../../__generated__/decisionsRejectAllMutation.graphql'
import type { decisionsReopenMutation } from '../../__generated__/decisionsReopenMutation.graphql'
import type { decisionsRejectMutation } from '../../__generated__/decisionsRejectMutation.graphql'
import { conflicted, useAction } from '../../core/action'
import { serviceNow } from '../../core/clock'
import { storeDraft } from '../../core/drafts'
import { plural, readable } from '../../core/format'
import { useEvents } from '../../core/live'
import { dismiss, toast } from '../../core/toast'
import * as mutations from './decisions'

// A Text is a post's text as a reviewer has seen it.
export type Text = { id: string; revision: number; text: string }
// An Outcome is what became of a post that was decided about with others.
export type Outcome = { id: string; failed: string | null }
type Answer = { id: string; updatedAt: string }
type Results = readonly { id: string; content: Answer | null | undefined; error: { message: string } | null | undefined }[]
// A Decision is one about posts, remembered from when it was made. Before the service
// has answered, undo is noted, and follows the answer; toast offers it afterwards.
type Decision = { ids: readonly string[]; answered: boolean; undo: boolean; toast?: number }
export type Decisions = ReturnType<typeof useDecisions>

// reasonFor names the draft of the reason for which posts are rejected.
export const reasonFor = (ids: readonly string[]) => (ids.length === 1 ? `reject ${ids[0]}` : 'reject several')

// useDecisions returns how a reviewer decides. after is called with the posts that
// leave the list, and ask asks again for the reason of a rejection that was refused. stale is the text that was reviewed of a post that turned out to have
// another one now.
export function useDecisions(after: (gone: ReadonlySet<string>) => void, ask: (ids: readonly string[]) => void) {
  const [runApprove] = useAction<decisionsApproveMutation>(mutations.approve)
  const [runApproveAll] = useAction<decisionsApproveAllMutation>(mutations.approveAll)
  const [runReject] = useAction<decisionsRejectMutation>(mutations.reject)
  const [runRejectAll] = useAction<decisionsRejectAllMutation>(mutations.rejectAll)
  const [runReopen] = useAction<decisionsReopenMutation>(mutations.reopen)
  const [outcomes, setOutcomes] = useState<{ done: string; of: Outcome[] } | null>(null)
  // The last decisions, the latest last, without those that were taken back.
  const decided = useRef<Decision[]>([])
  // When each post was decided about, by the service's answers and events: a list that was read
  // before, and comes later, shows it as waiting.
  const answers = useRef(new Map<string, string>())
  useEvents(['CONTENT_'], ({ content }) => {
    if (content && content.status !== 'PENDING_REVIEW') answers.current.set(content.id, content.updatedAt)
  })
  // outdated reports whether a post is shown as it was before it was decided about.
  const outdated = useCallback(({ id, updatedAt }: Answer) => updatedAt < (answers.current.get(id) ?? ''), [])
  const [stale, setStale] = useState<Text | null>(null)
  const texts = useRef(new Map<string, Text>())
  const [, again] = useReducer((n: number) => n + 1, 0)
  const now = () => new Date(serviceNow()).toISOString()
  const changed = (seen: Text) => (error: Error) => {
    if (!conflicted(error)) return false
    setStale(seen)
    return true
  }
  const begin = (ids: string[]) => {
    const d: Decision = { ids, answered: false, undo: false }
    decided.current = [...decided.current.slice(-19), d]
    return d
  }
  const forget = (d: Decision) => {
    decided.current = decided.current.filter((o) => o !== d)
  }
  // unmade returns what is done about a rejection that was refused: its reason is still there.
  const unmade = (d: Decision) => (e: Error) => {
    toast(e.message, { tone: 'bad', stays: true, action: { label: 'Reject again', run: () => ask(d.ids) } })
    return true
  }
  const reopen = ({ ids }: Decision) => {
    for (const id of ids) {
      runReopen({
        variables: { id },
        done: () => ids.at(-1) === id && toast(ids.length > 1 ? `${plural(ids.length, 'post')} back in review.` : 'Back in review.'),
      })
    }
  }
  // undo takes the last decision back, or a certain one.
  const undo = (d = decided.current.at(-1)) => {
    if (!d || d.undo) return
    d.undo = true
    forget(d)
    if (d.toast) dismiss(d.toast)
    if (d.answered) reopen(d)
  }
  // answered records that the service took a decision about posts, as it returned them.
  const answered = (d: Decision, posts: readonly Answer[], text: string) => {
    for (const p of posts) answers.current.set(p.id, p.updatedAt)
    d.ids = posts.map((p) => p.id)
    d.answered = true
    if (d.undo) reopen(d)
    else d.toast = toast(text, { action: { label: 'Undo', run: () => undo(d) } })
  }
  const each = (d: Decision, done: string, results: Results | undefined) => {
    const of = (results ?? []).map((r) => ({ id: r.id, failed: r.error ? readable(r.error.message) : null }))
    const posts = (results ?? []).flatMap((r) => (!r.error && r.content ? [r.content] : []))
    if (posts.length) answered(d, posts, `${plural(posts.length, 'post')} ${done}.`)
    else forget(d)
    if (posts.length < of.length) setOutcomes({ done, of })
  }
  const items = (posts: readonly Text[]) => posts.map(({ id, revision }) => ({ id, revision }))
  return {
    undo: () => undo(),
    outdated,
    outcomes,
    closeOutcomes: () => setOutcomes(null),
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
      const d = begin([id])
      after(new Set([id]))
      runApprove({
        variables: { id, revision },
        optimistic: { approveContent: { content: { id, revision, status: 'APPROVED', updatedAt: now() } } },
        done: (r) => answered(d, [r.approveContent!.content], 'Approved.'),
        failed: (e) => (forget(d), changed(seen)(e)),
      })
    },
    approveAll(posts: readonly Text[]) {
      const d = begin(posts.map((p) => p.id))
      runApproveAll({
        variables: { items: items(posts) },
        done: (r) => each(d, 'approved', r.approveContents?.results),
        failed: () => (forget(d), false),
      })
    },
    rejectAll(posts: readonly Text[], reason: string) {
      const d = begin(posts.map((p) => p.id))
      runRejectAll({
        variables: { items: items(posts), reason: reason || null },
        done: (r) => {
          const results = r.rejectContents?.results
          if (results?.every((x) => !x.error)) storeDraft(reasonFor(posts.map((p) => p.id)), null)
          each(d, 'rejected', results)
        },
        failed: (e) => (forget(d), unmade(d)(e)),
      })
    },
    reject(seen: Text, reason: string) {
      const { id, revision } = seen
      const d = begin([id])
      after(new Set([id]))
      runReject({
        variables: { id, revision, reason: reason || null },
        optimistic: { rejectContent: { content: { id, revision, status: 'REJECTED', rejectionReason: reason || null, updatedAt: now() } } },
        done: (r) => {
          storeDraft(reasonFor([id]), null)
          answered(d, [r.rejectContent!.content], 'Rejected.')
        },
        failed: (e) => (forget(d), changed(seen)(e) || unmade(d)(e)),
      })
    },
  }
}
