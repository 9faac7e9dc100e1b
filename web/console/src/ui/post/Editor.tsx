import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { fetchQuery, graphql } from 'react-relay'
import type { EditorMutation } from '../../__generated__/EditorMutation.graphql'
import type { EditorQuery } from '../../__generated__/EditorQuery.graphql'
import { conflicted, useAction } from '../../core/action'
import { readDraft, storeDraft, useUnsentNotice } from '../../core/drafts'
import type { Platform } from '../../core/enums'
import { useProblems } from '../../core/problems'
import { environment } from '../../core/relay'
import { toast } from '../../core/toast'
import { useLimits, usePlatforms } from '../../text/limits'
import { Button, IconButton } from '../button'
import { TextArea } from '../field'
import { Note } from '../parts'
import { Problem } from '../problem'
import { Length, measure } from './Length'

const Diff = lazy(() => import('../Diff'))

const mutation = graphql`
  mutation EditorMutation($id: ID!, $input: EditContentInput!) {
    editContent(id: $id, input: $input) {
      content {
        id
        status
        revision
        expiresAt
        updatedAt
        ...PostContent_content
        ...Review_content
      }
    }
  }
`

type Draft = { parts: readonly string[]; comment: string }

// Files are those of a post, by their part.
type Files = readonly { part: number }[]

// useFits returns a function that reports whether each part is within an account's limits.
function useFits(platform: Platform, integrationId: string | null, files: Files) {
  const limits = useLimits()(platform, integrationId)
  return (d: Draft) =>
    d.parts.every(
      (p, i) =>
        measure(
          limits,
          p,
          files.some((f) => f.part === i),
        ).ok,
    )
}

// Parts are the fields of a post: its text or its parts, and its first comment.
function Parts({
  platform,
  integrationId,
  files,
  draft,
  onChange,
  problems,
  focus,
}: {
  focus?: boolean
  platform: Platform
  integrationId: string | null
  files: Files
  draft: Draft
  onChange: (d: Draft) => void
  problems: ReturnType<typeof useWrong>
}) {
  const capabilities = usePlatforms().find((p) => p.platform === platform)
  const limits = useLimits()(platform, integrationId)
  const { parts, comment } = draft
  const several = parts.length > 1
  const set = (next: readonly string[]) => onChange({ parts: next, comment })
  return (
    <>
      {parts.map((text, i) => (
        <TextArea
          key={i}
          autoFocus={focus && i === 0}
          label={several ? `Part ${i + 1}` : 'Text'}
          value={text}
          problem={problems.of(several ? `parts[${i}]` : 'text')}
          aside={
            <span className="row">
              <Length limits={limits} text={text} files={files.some((f) => f.part === i)} />
              {several && <IconButton icon="trash" label={`Remove part ${i + 1}`} onClick={() => set(parts.filter((_, j) => j !== i))} />}
            </span>
          }
          onChange={(e) => set(parts.map((p, j) => (j === i ? e.target.value : p)))}
        />
      ))}
      {capabilities?.threads && parts.length < capabilities.maxParts && (
        <div>
          <Button look="quiet" icon="plus" onClick={() => set([...parts, ''])}>
            Add a part
          </Button>
        </div>
      )}
      {capabilities?.firstComment && (
        <TextArea
          label="First comment"
          optional
          hint="Sent right after the post."
          problem={problems.of('firstComment')}
          value={comment}
          onChange={(e) => onChange({ parts, comment: e.target.value })}
        />
      )}
      <Problem of={problems.rest} />
    </>
  )
}

// useWrong keeps what is wrong with a draft, whose fields are its one text or its parts.
const useWrong = ({ parts }: Draft, comment?: boolean) =>
  useProblems(...(parts.length > 1 ? parts.map((_, i) => `parts[${i}]`) : ['text']), ...(comment ? ['firstComment'] : []))

// now reads what a post is by now.
const now = graphql`
  query EditorQuery($id: ID!) {
    content(id: $id) {
      id
      status
      revision
      text
      parts
      firstComment {
        text
      }
    }
  }
`

type Post = {
  id: string
  platform: Platform
  integrationId?: string | null
  text: string
  parts: readonly string[]
  firstComment?: { text: string } | null
  media: Files
  revision: number
}

// Begun is a text that isn't saved yet, and the revision that it replaces.
type Begun = { revision: number; draft: Draft }

const whole = (d: Draft) => d.parts.join('\n\n')

// Editor changes a post's text, with its length as the platform counts it.
export function Editor({
  content: c,
  onClose,
  onSaved,
}: {
  content: Post
  onClose: () => void
  onSaved?: (revision: number, text: string) => void
}) {
  const before = c.firstComment?.text ?? ''
  const saved: Draft = { parts: c.parts.length > 0 ? c.parts : [c.text], comment: before }
  const name = `draft ${c.id}`
  const [begun] = useState(() => readDraft<Begun>(name))
  const [draft, setDraft] = useState<Draft>(begun?.draft ?? saved)
  // The revision that the text replaces. If the post gets another one meanwhile, the person
  // sees how it differs, and chooses.
  const [base, setBase] = useState({ revision: begun?.revision ?? c.revision, draft: saved })
  const changed = JSON.stringify(draft) !== JSON.stringify(base.draft)
  const other = c.revision !== base.revision
  const capabilities = usePlatforms().find((p) => p.platform === c.platform)
  const problems = useWrong(draft, capabilities?.firstComment)
  useEffect(() => storeDraft<Begun>(name, changed ? { revision: base.revision, draft } : null))
  const settled = useUnsentNotice(changed ? whole(draft) : '')
  const close = () => {
    settled()
    storeDraft(name, null)
    onClose()
  }
  const [run, busy] = useAction<EditorMutation>(mutation)
  const fits = useFits(c.platform, c.integrationId ?? null, c.media)(draft)
  const form = useRef<HTMLFormElement>(null)
  const save = () =>
    run({
      variables: {
        id: c.id,
        input: {
          ...(draft.parts.length > 1 ? { parts: draft.parts } : { text: draft.parts[0] }),
          ...(draft.comment !== before && { firstComment: draft.comment }),
          revision: base.revision,
        },
      },
      done: (r) => {
        const saved = r.editContent?.content
        toast('Saved.')
        if (saved) onSaved?.(saved.revision, whole(draft))
        close()
      },
      failed: (e) => {
        // The post as it is now shows the change, if that is why.
        if (conflicted(e))
          fetchQuery<EditorQuery>(environment, now, { id: c.id }, { fetchPolicy: 'network-only' }).subscribe({ error: () => {} })
        return problems.failed(e)
      },
    })
  const keys = (e: React.KeyboardEvent) => {
    if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) form.current?.requestSubmit()
    if (e.key === 'Escape') {
      e.stopPropagation()
      if (changed)
        onClose() // its text stays stored
      else close()
    }
  }
  return (
    <form
      ref={form}
      className="card editor stack"
      aria-label="Edit the post"
      onKeyDown={keys}
      onSubmit={(e) => {
        e.preventDefault()
        if (fits && !busy && !other) save()
      }}
    >
      {other && (
        <Note
          tone="warn"
          actions={
            <>
              <Button
                onClick={() => {
                  setDraft(saved)
                  setBase({ revision: c.revision, draft: saved })
                  problems.clear()
                }}
              >
                Use theirs
              </Button>
              <Button
                onClick={() => {
                  setBase({ revision: c.revision, draft: saved })
                  problems.clear()
                }}
              >
                Keep mine
              </Button>
            </>
          }
        >
          <strong>Somebody changed this post while you were writing.</strong> The changes from their text to yours:
          <Suspense fallback={null}>
            <Diff before={whole(saved)} after={whole(draft)} />
          </Suspense>
        </Note>
      )}
      <Parts
        platform={c.platform}
        integrationId={c.integrationId ?? null}
        files={c.media}
        draft={draft}
        onChange={(d) => (setDraft(d), problems.clear())}
        problems={problems}
        focus
      />
      <div className="row wrap">
        <Button look="primary" type="submit" busy={busy} disabled={!fits || other}>
          Save
        </Button>
        <Button onClick={close}>Cancel</Button>
        <span className="faint xsmall">Ctrl+Enter saves, Escape closes{changed && ' and keeps the text'}</span>
      </div>
    </form>
  )
}
