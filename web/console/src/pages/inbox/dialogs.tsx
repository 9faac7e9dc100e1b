import { lazy, Suspense } from 'react'
import { fetchQuery, graphql, useLazyLoadQuery } from 'react-relay'
import type { decisionsRewriteMutation } from '../../__generated__/decisionsRewriteMutation.graphql'
import type { dialogsStaleQuery } from '../../__generated__/dialogsStaleQuery.graphql'
import { conflicted, useAction } from '../../core/action'
import { readDraft, useDraft } from '../../core/drafts'
import { useProblems } from '../../core/problems'
import { environment } from '../../core/relay'
import { toast } from '../../core/toast'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { TextArea } from '../../ui/field'
import { Choices } from '../../ui/menu'
import { Note, Skeleton } from '../../ui/parts'
import { Problem } from '../../ui/problem'
import { rewrite } from './decisions'
import { type Outcome, reasonFor, type Text } from './useDecisions'

const Diff = lazy(() => import('../../ui/Diff'))

// useWords is a text that is stored under a name until it is sent or discarded.
const useWords = (name: string) =>
  useDraft<string>(
    name,
    () => readDraft<string>(name) ?? '',
    (text) => text,
  )

export function RejectDialog({
  ids,
  onClose,
  onReject,
}: {
  ids: readonly string[]
  onClose: () => void
  onReject: (reason: string) => void
}) {
  const posts = ids.length
  const { value: reason, set: setReason, typed, sent, forget } = useWords(reasonFor(ids))
  const submit = () => {
    sent()
    onReject(reason.trim())
  }
  const discard = () => {
    forget()
    onClose()
  }
  return (
    <Dialog
      title={posts > 1 ? `Reject ${posts} posts` : 'Reject this post'}
      about={`${posts > 1 ? 'They' : 'It'} won’t be published. The reason stays with ${posts > 1 ? 'them' : 'it'}, for everybody who sees ${posts > 1 ? 'them' : 'it'}.`}
      onClose={onClose}
      onSubmit={submit}
      footer={<Choices no={typed ? 'Discard' : 'Cancel'} yes="Reject" danger onNo={discard} />}
    >
      <div className="row wrap reasons">
        {['Off brand', 'Not accurate', 'Too promotional', 'Wrong time', 'Already said'].map((r) => (
          <Button key={r} aria-pressed={reason === r} onClick={() => setReason(r)}>
            {r}
          </Button>
        ))}
      </div>
      <TextArea label="Why" optional value={reason} maxLength={1000} onChange={(e) => setReason(e.target.value)} />
    </Dialog>
  )
}

// RewriteDialog has the text that the reviewer has seen written anew. If the post has
// another one now, the reviewer sees the change first.
export function RewriteDialog({ seen, now, onClose, onSaw }: { seen: Text; now: Text; onClose: () => void; onSaw: (text: Text) => void }) {
  const { id, revision } = seen
  const changed = now.revision !== revision
  const { of, rest, clear, failed } = useProblems('instructions')
  const { value: instructions, set: setInstructions, typed, forget } = useWords(`rewrite ${id}`)
  const [run, busy] = useAction<decisionsRewriteMutation>(rewrite)
  const discard = () => {
    forget()
    onClose()
  }
  const submit = () => {
    if (changed || busy) return
    clear()
    run({
      variables: { id, revision, instructions: instructions.trim() || null },
      done: (r) => {
        const c = r.regenerateContent?.content
        discard()
        toast(`Rewritten: revision ${c?.revision}.`)
        if (c) onSaw(c)
      },
      failed: (e) => {
        // The post as it is now shows the change, if that is why.
        if (conflicted(e))
          fetchQuery<dialogsStaleQuery>(environment, current, { id }, { fetchPolicy: 'network-only' }).subscribe({ error: () => {} })
        return failed(e)
      },
    })
  }
  return (
    <Dialog
      title="Rewrite this post"
      about="The writer creates a new text from the same brief."
      onClose={onClose}
      onSubmit={submit}
      footer={
        <Choices no={typed ? 'Discard' : 'Cancel'} yes={busy ? 'Writing …' : 'Rewrite'} busy={busy} disabled={changed} onNo={discard} />
      }
    >
      {changed && (
        <Note tone="warn" actions={<Button onClick={() => (onSaw(now), clear())}>Continue with the new text</Button>}>
          <strong>Somebody changed this post since you read it.</strong> What changed since:
          <Suspense fallback={<Skeleton />}>
            <Diff before={seen.text} after={now.text} />
          </Suspense>
        </Note>
      )}
      <TextArea
        label="What should be different"
        optional
        problem={of('instructions')}
        placeholder="Shorter, and start with the number."
        value={instructions}
        maxLength={2000}
        onChange={(e) => setInstructions(e.target.value)}
      />
      {!changed && <Problem of={rest} />}
    </Dialog>
  )
}

// OutcomesDialog says what became of each post that was decided about with others.
export function OutcomesDialog({
  done,
  of,
  textOf,
  onClose,
}: {
  done: string
  of: readonly Outcome[]
  textOf: (id: string) => string | undefined
  onClose: () => void
}) {
  const failed = of.filter((o) => o.failed)
  return (
    <Dialog
      title={`${of.length - failed.length} of ${of.length} ${done}`}
      about="The others still wait for review, or somebody else decided about them."
      onClose={onClose}
      footer={
        <Button look="primary" onClick={onClose}>
          Continue
        </Button>
      }
    >
      <ul aria-label="Results">
        {of.map((o) => (
          <li key={o.id} className={o.failed ? 'bad' : 'ok'}>
            {textOf(o.id) && <span className="clip small muted">{textOf(o.id)}</span>} {o.failed ?? `This post is ${done}.`}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

const current = graphql`
  query dialogsStaleQuery($id: ID!) {
    content(id: $id) {
      id
      status
      revision
      ...Review_content
      text
    }
  }
`

type StaleProps = { before: Text; onClose: (now: Text | null) => void; onApprove: (now: Text) => void }

// StaleDialog shows what a post's text has become since the reviewer read it, and asks
// again.
export function StaleDialog(props: StaleProps) {
  return (
    <Suspense fallback={null}>
      <Changed {...props} />
    </Suspense>
  )
}

function Changed({ before, onClose, onApprove }: StaleProps) {
  const { content } = useLazyLoadQuery<dialogsStaleQuery>(current, { id: before.id }, { fetchPolicy: 'network-only' })
  if (!content || content.status !== 'PENDING_REVIEW') {
    return (
      <Dialog
        title="Already decided"
        onClose={() => onClose(null)}
        footer={
          <Button look="primary" onClick={() => onClose(null)}>
            Continue
          </Button>
        }
      >
        <p>This post no longer waits for review.</p>
      </Dialog>
    )
  }
  return (
    <Dialog
      kind="wide"
      title="The text has changed"
      about="You read an earlier revision. This is the difference."
      onClose={() => onClose(content)}
      footer={<Choices no="Read it first" yes="Approve the new text" onNo={() => onClose(content)} onYes={() => onApprove(content)} />}
    >
      <Suspense fallback={<Skeleton />}>
        <Diff before={before.text} after={content.text} />
      </Suspense>
    </Dialog>
  )
}
