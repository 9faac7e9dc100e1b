import './library.css'
import { useState } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay'
import { Link } from 'wouter'
import type { DetailsDeleteMutation } from '../../__generated__/DetailsDeleteMutation.graphql'
import type { DetailsQuery, DetailsQuery$data } from '../../__generated__/DetailsQuery.graphql'
import type { DetailsUpdateMutation } from '../../__generated__/DetailsUpdateMutation.graphql'
import { useAction } from '../../core/action'
import { useEdits } from '../../core/edits'
import { plural, sentence, span } from '../../core/format'
import { useFresh, useRefresh } from '../../core/live'
import { useProblems } from '../../core/problems'
import { useMay } from '../../core/session'
import { toast } from '../../core/toast'
import { Button } from '../../ui/button'
import { Check, TextArea } from '../../ui/field'
import { AltText } from '../../ui/media/AltText'
import { kindName, mediaState, sizeOf } from '../../ui/media/words'
import { Note } from '../../ui/parts'
import { PlatformMark } from '../../ui/platform'
import { Problem } from '../../ui/problem'
import { ContentBadge, State } from '../../ui/status'
import { Time } from '../../ui/time'

type File = NonNullable<DetailsQuery$data['media']>

// Details are what a file is, what is said of it and which posts have it.
export function Details({ id, onGone }: { id: string; onGone: () => void }) {
  const [fetchKey, refresh] = useFresh([])
  useRefresh(['MEDIA_'], refresh)
  const { media: f, mediaPosts } = useLazyLoadQuery<DetailsQuery>(
    graphql`
      query DetailsQuery($id: ID!) {
        media(id: $id) {
          id
          kind
          status
          contentType
          bytes
          width
          height
          durationMs
          altText
          description
          uses
          url
          createdAt
          error {
            message
          }
          provenance {
            ai
            credit
            copyright
          }
        }
        mediaPosts(id: $id) {
          id
          text
          platform
          status
        }
      }
    `,
    { id },
    { fetchPolicy: 'store-and-network', fetchKey },
  )
  const may = useMay('CONTENT_WRITE')
  if (!f) return <p className="muted">The file was deleted.</p>
  const posts = mediaPosts ?? []
  return (
    <div className="stack wide file">
      {f.url && f.kind === 'VIDEO' ? (
        <video src={f.url} controls preload="metadata" aria-label={f.altText || 'Video'} />
      ) : (
        f.url && <img src={f.url} alt={f.altText} />
      )}
      <div className="row wrap small muted">
        <State of={mediaState(f.status)} />
        <span>{f.kind ? kindName(f.kind) : f.contentType}</span>
        <span>{sizeOf(f.bytes)}</span>
        {f.width > 0 && (
          <span className="num">
            {f.width} × {f.height}
          </span>
        )}
        {f.durationMs > 0 && <span>{span(f.durationMs)}</span>}
        <Time at={f.createdAt} />
      </div>
      {f.error && <Note tone={f.status === 'FAILED' ? 'bad' : 'warn'}>{sentence(f.error.message)}</Note>}
      {may ? <Said key={f.id} file={f} /> : <Told file={f} />}
      <section className="stack">
        <h3>{posts.length > 0 ? `In ${plural(f.uses, 'post')}` : 'In no post'}</h3>
        <ul className="stack tight small">
          {posts.map((c) => (
            <li key={c.id} className="row">
              <PlatformMark platform={c.platform} />
              <Link href={`/posts/${c.id}`} className="link clip grow">
                {c.text || 'Post without a text'}
              </Link>
              <ContentBadge status={c.status} />
            </li>
          ))}
        </ul>
        {f.uses > posts.length && posts.length > 0 && <p className="small muted">The latest {posts.length} are shown.</p>}
      </section>
      {may && <Delete file={f} onGone={onGone} />}
    </div>
  )
}

// Told is what is said of a file, for those who may not change it.
function Told({ file: f }: { file: File }) {
  return (
    <dl className="stack small">
      <div>
        <dt className="muted">Alt text</dt>
        <dd dir="auto">{f.altText || 'None'}</dd>
      </div>
      {f.description && (
        <div>
          <dt className="muted">Description</dt>
          <dd dir="auto">{f.description}</dd>
        </div>
      )}
    </dl>
  )
}

// The service's limit of a description, in characters.
const longestDescription = 2000

// Said is the form of what is said of a file.
function Said({ file: f }: { file: File }) {
  const { values, typed, set, forget } = useEdits(`file:${f.id}`, {
    alt: f.altText,
    description: f.description,
    ai: f.provenance.ai !== 'NONE',
  })
  const { of, rest, clear, failed } = useProblems('altText', 'description')
  const [run, busy] = useAction<DetailsUpdateMutation>(graphql`
    mutation DetailsUpdateMutation($id: ID!, $input: UpdateMediaInput!) {
      updateMedia(id: $id, input: $input) {
        media {
          id
          altText
          description
          provenance {
            ai
          }
        }
      }
    }
  `)
  const save = () =>
    run({
      variables: {
        id: f.id,
        input: {
          altText: values.alt,
          description: values.description,
          ...(f.provenance.ai !== 'DETECTED' && { provenance: { ai: values.ai ? 'DECLARED' : 'NONE' } }),
        },
      },
      done: () => (forget(), clear(), toast('Saved. Posts that have it keep their alt text.')),
      failed,
    })
  return (
    <form
      className="stack"
      noValidate
      onKeyDown={(e) => e.key === 'Enter' && (e.ctrlKey || e.metaKey) && e.currentTarget.requestSubmit()}
      onSubmit={(e) => {
        e.preventDefault()
        if (typed && !busy) save()
      }}
    >
      <AltText value={values.alt} problem={of('altText')} onChange={(e) => (set({ alt: e.target.value }), clear())} />
      <TextArea
        label="Description"
        optional
        hint="For whoever chooses pictures: people, and the writer. It is never published."
        maxLength={longestDescription}
        dir="auto"
        value={values.description}
        problem={of('description')}
        onChange={(e) => (set({ description: e.target.value }), clear())}
      />
      <Check
        label="Made with AI"
        hint={f.provenance.ai === 'DETECTED' ? 'The file itself says so.' : 'Platforms that label it are told.'}
        checked={values.ai}
        disabled={f.provenance.ai === 'DETECTED'}
        onChange={(e) => set({ ai: e.target.checked })}
      />
      <Problem of={rest} />
      <div className="row">
        <Button look="primary" type="submit" busy={busy} disabled={!typed}>
          Save
        </Button>
        {typed && <Button onClick={() => (forget(), clear())}>Discard</Button>}
      </div>
    </form>
  )
}

function Delete({ file: f, onGone }: { file: File; onGone: () => void }) {
  const [asked, setAsked] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [run, busy] = useAction<DetailsDeleteMutation>(graphql`
    mutation DetailsDeleteMutation($id: ID!) {
      deleteMedia(id: $id) {
        deletedId @deleteRecord
      }
    }
  `)
  const remove = () =>
    run({
      variables: { id: f.id },
      done: () => (toast('Deleted.'), onGone()),
      failed: (e) => (setProblem(e.message), true),
    })
  return (
    <div className="stack">
      {problem && (
        <div role="alert">
          <Note tone="bad">{problem}</Note>
        </div>
      )}
      {!asked ? (
        <div>
          <Button look="danger" icon="trash" onClick={() => setAsked(true)}>
            Delete …
          </Button>
        </div>
      ) : (
        <div className="row wrap">
          <span className="small">Delete it for good? Published posts stay as they are.</span>
          <Button look="danger primary" busy={busy} onClick={remove}>
            Delete the file
          </Button>
          <Button onClick={() => (setAsked(false), setProblem(null))}>Keep it</Button>
        </div>
      )}
    </div>
  )
}
