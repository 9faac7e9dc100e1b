import { Suspense, useState } from 'react'
import { graphql, useFragment } from 'react-relay'
import { Link } from 'wouter'
import type { Review_content$key } from '../../__generated__/Review_content.graphql'
import { Boundary } from '../../ui/Boundary'
import { useNow } from '../../core/clock'
import { useKeys } from '../../core/keys'
import { useMay } from '../../core/session'
import { Button } from '../../ui/button'
import { Icon } from '../../ui/icons'
import { Note, Skeleton } from '../../ui/parts'
import { platformName } from '../../ui/platform'
import { Editor } from '../../ui/post/Editor'
import { PostContent } from '../../ui/post/PostContent'
import { Time, urgency, Zone } from '../../ui/time'
import { Background } from './Background'
import { RejectDialog, RewriteDialog } from './dialogs'
import type { Decisions } from './useDecisions'

// Review is a post as its readers will see it, with what is needed to decide about it.
// rejecting asks for the reason of a rejection at once, until it was asked for.
export function Review({
  content,
  decisions,
  rejecting,
  onAsked,
}: {
  content: Review_content$key
  decisions: Decisions
  rejecting: boolean
  onAsked: () => void
}) {
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
        media {
          part
        }
        revision
        allowedActions
        createdAt
        expiresAt
        scheduledAt
        mission {
          id
          name
        }
        ...PostContent_content
      }
    `,
    content,
  )
  const may = useMay('CONTENT_WRITE')
  const allows = (action: (typeof c.allowedActions)[number]) => may && c.allowedActions.includes(action)
  const now = useNow()
  // The text that the reviewer has before their eyes: a newer one is shown as a change.
  const seen = decisions.seen(c)
  const [open, setOpen] = useState<'reject' | 'edit' | 'rewrite' | null>(null)
  const [differs, setDiffers] = useState(false)
  const close = () => (setOpen(null), onAsked())
  const changed = c.revision !== seen.revision
  const approve = () => (changed ? decisions.setStale(seen) : decisions.approve(seen))
  useKeys([
    { keys: 'a', label: 'Approve', run: approve, off: !allows('APPROVE') },
    { keys: 'r', label: 'Reject', run: () => setOpen('reject'), off: !allows('REJECT') },
    { keys: 'e', label: 'Edit', run: () => setOpen('edit'), off: !allows('EDIT') },
    { keys: 'g r', label: 'Rewrite', run: () => setOpen('rewrite'), off: !allows('REGENERATE') },
    { keys: 'd', label: 'What changed', run: () => setDiffers((d) => !d), off: c.revision === 1 },
  ])
  const pressing = c.expiresAt ? urgency(c.expiresAt, c.createdAt, now) : ''
  return (
    <section className="review" aria-label="Review">
      <div className="about row wrap">
        <Link href="/inbox" className="btn quiet icon back" aria-label="Back to the list">
          <Icon name="left" />
        </Link>
        <div className="grow">
          <h2 className="clip">
            {c.type === 'THREAD' ? `Thread of ${c.parts.length}` : 'Post'} on {platformName(c.platform)}
          </h2>
          <p className="small muted clip">
            {c.mission && (
              <Link className="link" href={`/missions/${c.mission.id}`}>
                {c.mission.name}
              </Link>
            )}
            {' · '}
            <Link className="link" href={`/posts/${c.id}`}>
              Open the post
            </Link>
            {c.scheduledAt && (
              <>
                {' · '}
                {Date.parse(c.scheduledAt) > now ? (
                  <>
                    goes out <Time at={c.scheduledAt} exact />
                  </>
                ) : (
                  <>
                    goes out as soon as it is approved; its slot was <Time at={c.scheduledAt} exact />
                  </>
                )}
                {' · '}
                <Zone />
              </>
            )}
          </p>
        </div>
        {c.expiresAt && (
          <span className={`badge plain ${pressing}`}>
            <Icon name="clock" size={14} /> expires <Time at={c.expiresAt} ahead />
          </span>
        )}
      </div>
      <div className="body">
        {changed && (
          <Note tone="warn" actions={<Button onClick={() => decisions.setStale(seen)}>Show the change</Button>}>
            <strong>The text changed while you were reading it.</strong> You see the new version.
          </Note>
        )}
        <Suspense fallback={<Skeleton />}>
          {open === 'edit' ? (
            <Editor content={c} onClose={close} onSaved={(revision, text) => decisions.saw({ id: c.id, revision, text })} />
          ) : (
            <PostContent content={c} />
          )}
        </Suspense>
        <Boundary small place={c.id}>
          <Suspense fallback={<Skeleton />}>
            <Background id={c.id} revision={c.revision} differs={differs} onDiffer={setDiffers} />
          </Suspense>
        </Boundary>
      </div>
      {!may && <p className="decide small muted">Your role may look at posts, and not change them.</p>}
      {may && open !== 'edit' && (
        <div className="decide row" role="toolbar" aria-label="Decide">
          {allows('APPROVE') && (
            <Button look="primary" big icon="check" shortcut="a" onClick={approve}>
              Approve
            </Button>
          )}
          {allows('REJECT') && (
            <Button big icon="x" shortcut="r" onClick={() => setOpen('reject')}>
              Reject
            </Button>
          )}
          <span className="grow" />
          {allows('EDIT') && (
            <Button big look="quiet" icon="edit" shortcut="e" onClick={() => setOpen('edit')}>
              Edit
            </Button>
          )}
          {allows('REGENERATE') && (
            <Button big look="quiet" icon="redo" shortcut="g r" onClick={() => setOpen('rewrite')}>
              Rewrite
            </Button>
          )}
        </div>
      )}
      {(open === 'reject' || rejecting) && (
        <RejectDialog
          ids={[c.id]}
          onClose={close}
          onReject={(reason) => {
            close()
            decisions.reject(seen, reason)
          }}
        />
      )}
      {open === 'rewrite' && <RewriteDialog seen={seen} now={c} onClose={close} onSaw={decisions.saw} />}
    </section>
  )
}
