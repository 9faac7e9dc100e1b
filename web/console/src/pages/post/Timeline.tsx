import { lazy, type ReactNode, Suspense, useState } from 'react'
import { graphql, useFragment } from 'react-relay'
import type { Timeline_content$data, Timeline_content$key } from '../../__generated__/Timeline_content.graphql'
import type { TimelineCommentMutation } from '../../__generated__/TimelineCommentMutation.graphql'
import { useAction } from '../../core/action'
import { useEdits } from '../../core/edits'
import { sentence } from '../../core/format'
import { useProblems } from '../../core/problems'
import { useMay } from '../../core/session'
import { inWords, table } from '../../core/table'
import { Button } from '../../ui/button'
import { TextArea } from '../../ui/field'
import { Icon, type IconName } from '../../ui/icons'
import { Card } from '../../ui/parts'
import { Problem } from '../../ui/problem'
import { Time } from '../../ui/time'

const Diff = lazy(() => import('../../ui/Diff'))

type Entry = { at: string; icon: IconName; tone: string; title: ReactNode; about?: ReactNode; from?: string; to?: string }

// Timeline is what happened to the post, first to last, and a field to say something about it.
export function Timeline({ content, zone, onChange }: { content: Timeline_content$key; zone?: string; onChange: () => void }) {
  const c = useFragment(
    graphql`
      fragment Timeline_content on Content {
        id
        status
        revision
        createdAt
        updatedAt
        scheduledAt
        publishedAt
        parts
        error {
          message
        }
        record {
          revisions {
            revision
            text
            writtenAt
            instructions
            author {
              kind
              name
              model
              provider
            }
          }
          reviews {
            revision
            decision
            via
            byName
            reason
            at
          }
          publications {
            part
            publishedAt
          }
        }
        comments(first: 50) {
          edges {
            node {
              id
              revision
              text
              authorName
              createdAt
            }
          }
        }
      }
    `,
    content,
  )
  const entries = [...written(c), ...decided(c), ...said(c), ...ended(c)].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
  return (
    <Card title="What happened">
      <ol className="timeline">
        {entries.map((e, i) => (
          <li key={i}>
            <span className={`glyph ${e.tone}`}>
              <Icon name={e.icon} size={14} />
            </span>
            <div className="grow">
              <p className="row wrap spread">
                <span className="strong">{e.title}</span>
                <span className="xsmall muted nowrap">
                  <Time at={e.at} zone={zone} exact />
                </span>
              </p>
              {e.about && (
                <div className="small about" dir="auto">
                  {e.about}
                </div>
              )}
              {e.from !== undefined && e.to !== undefined && <Change from={e.from} to={e.to} />}
            </div>
          </li>
        ))}
      </ol>
      <Comment key={c.id} id={c.id} onDone={onChange} />
    </Card>
  )
}

type Post = Timeline_content$data
type Author = NonNullable<Post['record']>['revisions'][number]['author']

const authors = table<string, (a: Author) => string>(
  {
    PERSON: (a) => a.name ?? 'a person',
    MODEL: (a) => (a.provider ? `${a.model} (${a.provider})` : (a.model ?? 'a model')),
    BUILT_IN: () => 'the built-in writer',
    WRITER: () => 'the writer',
  },
  (kind) => () => inWords(kind).toLowerCase(),
)

const written = (c: Post): Entry[] =>
  (c.record?.revisions ?? []).map((r, i, all) => ({
    at: r.writtenAt ?? c.createdAt,
    icon: 'edit',
    tone: '',
    title: `${r.revision === 1 ? 'Written' : `Text ${r.revision}`} by ${authors(r.author.kind)(r.author)}`,
    about: r.instructions && `“${r.instructions}”`,
    ...(i > 0 && { from: all[i - 1]?.text, to: r.text }),
  }))

const decisions = table<string, [string, IconName, string]>(
  { APPROVED: ['Approved', 'check', 'ok'], REJECTED: ['Rejected', 'x', 'bad'], REOPENED: ['Put back into review', 'redo', ''] },
  (d) => [inWords(d), 'info', ''],
)

const ways = table<string, string>(
  { SESSION: '', KEY: ', by an API key', REVIEW_LINK: ', by a review link' },
  (w) => `, by ${inWords(w).toLowerCase()}`,
)

const decided = (c: Post): Entry[] =>
  (c.record?.reviews ?? []).map((r) => {
    const [word, icon, tone] = decisions(r.decision)
    return { at: r.at, icon, tone, title: `${word} by ${r.byName ?? 'somebody'}${ways(r.via)}`, about: r.reason && `“${r.reason}”` }
  })

const said = (c: Post): Entry[] =>
  (c.comments?.edges ?? []).map(({ node: n }) => ({
    at: n.createdAt,
    icon: 'reply',
    tone: '',
    title: `${n.authorName ?? 'Somebody'} commented${n.revision === c.revision ? '' : ` on text ${n.revision}`}`,
    about: n.text,
  }))

// ended are the parts that went out, and why the others didn't.
function ended(c: Post): Entry[] {
  const out = (c.record?.publications ?? []).map((p): Entry => ({
    at: p.publishedAt,
    icon: 'out',
    tone: 'ok',
    title: c.parts.length > 1 ? `Part ${p.part + 1} of ${c.parts.length} published` : 'Published',
  }))
  const ends = {
    FAILED: 'Failed',
    EXPIRED: 'Expired: nobody approved it in time',
    CANCELED: 'Canceled',
    UNKNOWN: 'The platform never said whether it took it',
  }
  const title = Object.hasOwn(ends, c.status) ? ends[c.status as keyof typeof ends] : null
  const about = c.error && sentence(c.error.message)
  return title ? [...out, { at: c.updatedAt, icon: 'warn', tone: 'bad', title, about }] : out
}

function Change({ from, to }: { from: string; to: string }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button look="quiet" icon="diff" aria-expanded={open} onClick={() => setOpen(!open)}>
        What changed
      </Button>
      {open && (
        <Suspense>
          <Diff before={from} after={to} />
        </Suspense>
      )}
    </>
  )
}

const mutation = graphql`
  mutation TimelineCommentMutation($id: ID!, $input: CommentContentInput!) {
    commentContent(id: $id, input: $input) {
      comment {
        id
      }
    }
  }
`

function Comment({ id, onDone }: { id: string; onDone: () => void }) {
  const may = useMay('CONTENT_WRITE')
  const { values, set, forget } = useEdits(`comment ${id}`, { text: '' })
  const { text } = values
  const { of, rest, clear, failed } = useProblems('text')
  const [run, busy] = useAction<TimelineCommentMutation>(mutation)
  if (!may) return null
  const send = () => {
    if (!text.trim() || busy) return
    run({
      variables: { id, input: { text } },
      done: () => {
        forget()
        onDone()
      },
      failed,
    })
  }
  return (
    <form
      className="stack"
      onKeyDown={(e) => e.key === 'Enter' && (e.ctrlKey || e.metaKey) && send()}
      onSubmit={(e) => {
        e.preventDefault()
        send()
      }}
    >
      <TextArea
        label="Comment"
        optional
        value={text}
        maxLength={2000}
        problem={of('text')}
        onChange={(e) => (set({ text: e.target.value }), clear())}
      />
      <Problem of={rest} />
      {text.trim() && (
        <div>
          <Button type="submit" busy={busy}>
            Comment
          </Button>
        </div>
      )}
    </form>
  )
}
