import { lazy, Suspense, useState } from 'react'
import { graphql, useFragment, useLazyLoadQuery } from 'react-relay'
import { Link } from 'wouter'
import type { Review_content$key } from '../../__generated__/Review_content.graphql'
import type { ReviewQuery } from '../../__generated__/ReviewQuery.graphql'
import { useNow } from '../../app/clock'
import { useKeys } from '../../app/keys'
import { useMay } from '../../app/session'
import { Button } from '../../ui/button'
import { Icon } from '../../ui/icons'
import { Note } from '../../ui/parts'
import { platformName } from '../../ui/platform'
import { Editor } from '../../ui/post/Editor'
import { PostContent } from '../../ui/post/PostContent'
import { Time, urgency } from '../../ui/time'
import { Brief } from './Brief'
import { RejectDialog, RewriteDialog, StaleDialog } from './dialogs'
import type { Decisions } from './useDecisions'

const Diff = lazy(() => import('../../ui/Diff'))

// Review is a post as its readers will see it, with what is needed to decide about it.
export function Review({ content, decisions }: { content: Review_content$key; decisions: Decisions }) {
  const c = useFragment(
    graphql`
      fragment Review_content on Content {
        id
        platform
        integrationId
        accountHandle
        type
        text
        parts
        firstComment {
          text
        }
        revision
        createdAt
        expiresAt
        scheduledAt
        ...PostContent_content
      }
    `,
    content,
  )
  const { content: more } = useLazyLoadQuery<ReviewQuery>(
    graphql`
      query ReviewQuery($id: ID!) {
        content(id: $id) {
          id
          revision
          mission {
            id
            name
            constraints {
              timezone
            }
          }
          revisions {
            revision
            text
            firstComment
            instructions
            authorId
            reviewedAt
            rejectionReason
          }
          ...Brief_content
        }
      }
    `,
    { id: c.id },
    { fetchPolicy: 'store-and-network', fetchKey: c.revision },
  )
  const may = useMay('CONTENT_WRITE')
  const now = useNow()
  // The text that the reviewer has before their eyes: a newer one is shown as a change.
  const [seen, setSeen] = useState({ revision: c.revision, text: c.text })
  const [open, setOpen] = useState<'reject' | 'edit' | 'rewrite' | 'stale' | null>(null)
  const [differs, setDiffers] = useState(false)
  const zone = more?.mission?.constraints.timezone
  const before = more?.revisions?.find((r) => r.revision === c.revision - 1)
  const stale = open === 'stale' || decisions.stale === c.id
  const close = () => {
    setOpen(null)
    decisions.setStale(null)
  }
  const accept = () => {
    setSeen({ revision: c.revision, text: c.text })
    close()
  }
  const approve = () => (c.revision === seen.revision ? decisions.approve(c) : setOpen('stale'))
  useKeys([
    { keys: 'a', label: 'Approve', run: approve, off: !may },
    { keys: 'r', label: 'Reject', run: () => setOpen('reject'), off: !may },
    { keys: 'e', label: 'Edit', run: () => setOpen('edit'), off: !may },
    { keys: 'g r', label: 'Have it rewritten', run: () => setOpen('rewrite'), off: !may },
    { keys: 'd', label: 'What changed', run: () => setDiffers((d) => !d), off: !before },
  ])
  const pressing = c.expiresAt ? urgency(c.expiresAt, c.createdAt, now) : ''
  return (
    <section className="review" aria-label="Review">
      <div className="about row wrap">
        <Link href="/inbox" className="btn quiet icon back" aria-label="Back to the list"><Icon name="left" /></Link>
        <div className="grow">
          <h2 className="clip">{c.type === 'THREAD' ? `Thread of ${c.parts.length}` : c.type === 'ARTICLE' ? 'Article' : 'Post'} on {platformName(c.platform)}</h2>
          <p className="small muted clip">
            {more?.mission && <Link className="link" href={`/missions/${more.mission.id}`}>{more.mission.name}</Link>}
            {c.scheduledAt && <> · goes out <Time at={c.scheduledAt} zone={zone} exact /></>}
          </p>
        </div>
        {c.expiresAt && (
          <span className={`badge plain ${pressing}`}>
            <Icon name="clock" size={14} /> expires <Time at={c.expiresAt} zone={zone} />
          </span>
        )}
      </div>
      <div className="body">
        {c.revision !== seen.revision && (
          <Note tone="warn" actions={<Button onClick={() => setOpen('stale')}>Show the change</Button>}>
            <strong>The text was changed while you read it.</strong> You see the new one.
          </Note>
        )}
        {open === 'edit' ? (
          <Editor content={c} onClose={close} onSaved={(revision, text) => setSeen({ revision, text })} />
        ) : differs && before ? (
          <Suspense><Diff before={before.text} after={c.text} /></Suspense>
        ) : (
          <PostContent content={c} zone={zone} />
        )}
        {before && open !== 'edit' && (
          <Button look="quiet" icon="diff" shortcut="d" aria-pressed={differs} onClick={() => setDiffers(!differs)}>
            {differs ? 'Show the post' : `What changed since revision ${before.revision}`}
          </Button>
        )}
        {more && <Brief content={more} />}
      </div>
      {may && open !== 'edit' && (
        <div className="decide row" role="toolbar" aria-label="Decide">
          <Button look="primary" big icon="check" shortcut="a" onClick={approve}>Approve</Button>
          <Button big icon="x" shortcut="r" onClick={() => setOpen('reject')}>Reject</Button>
          <span className="grow" />
          <Button big look="quiet" icon="edit" shortcut="e" onClick={() => setOpen('edit')}>Edit</Button>
          <Button big look="quiet" icon="redo" shortcut="g r" onClick={() => setOpen('rewrite')}>Rewrite</Button>
        </div>
      )}
      {open === 'reject' && <RejectDialog onClose={close} onReject={(reason) => { close(); decisions.reject(seen.revision === c.revision ? c : { id: c.id, revision: seen.revision }, reason) }} />}
      {open === 'rewrite' && <RewriteDialog id={c.id} onClose={close} onRewritten={(revision, text) => setSeen({ revision, text })} />}
      {stale && <StaleDialog id={c.id} before={seen.text} onClose={accept} onApprove={(revision) => { accept(); decisions.approve({ id: c.id, revision }) }} />}
    </section>
  )
}

