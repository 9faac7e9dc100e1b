import './post.css'
import { startTransition, useEffect, useState } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay'
import { Link, useLocation } from 'wouter'
import type { DrawerQuery } from '../../__generated__/DrawerQuery.graphql'
import { useKeys } from '../../core/keys'
import { useFresh, useRefresh } from '../../core/live'
import { type Peek, peek } from '../../core/peek'
import { IconButton } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { platformName } from '../../ui/platform'
import { Editor } from '../../ui/post/Editor'
import { PostContent } from '../../ui/post/PostContent'
import { ContentBadge } from '../../ui/status'
import { Zone } from '../../ui/time'
import { Figures } from './Figures'
import { PostActions } from './PostActions'
import { Why } from './Why'

// Drawer is the post that is looked at over the page, with what can be done about it. It closes
// with the page.
export default function Drawer() {
  const [shown, setShown] = useState(peek.get)
  const [path] = useLocation()
  useEffect(() => peek.watch(() => startTransition(() => setShown(peek.get))), [])
  useEffect(() => () => peek.set(null), [path])
  return shown && <Open {...shown} />
}

const close = () => peek.set(null)

function Open({ id, ids, zone: wanted }: Peek) {
  const [fetchKey, refresh] = useFresh([])
  useRefresh(['CONTENT_'], refresh, (e) => e.content?.id === id)
  const { content: c } = useLazyLoadQuery<DrawerQuery>(
    graphql`
      query DrawerQuery($id: ID!) {
        content(id: $id) {
          ...PostActions_page @relay(mask: false)
        }
      }
    `,
    { id },
    { fetchPolicy: 'store-and-network', fetchKey },
  )
  const [editing, setEditing] = useState(false)
  const at = ids.indexOf(id)
  const to = (n: number) => ids[at + n]
  const step = (n: number) => {
    const next = to(n)
    if (next && !editing) peek.set({ id: next, ids, zone: wanted })
  }
  useKeys([
    { keys: 'j', label: 'Next post', run: () => step(1), off: !to(1) },
    { keys: 'k', label: 'Previous post', run: () => step(-1), off: at < 1 },
  ])
  const zone = wanted ?? c?.mission?.constraints.timezone
  return (
    <Dialog
      kind="drawer"
      title={c ? `${c.type === 'THREAD' ? 'Thread' : 'Post'} on ${platformName(c.platform)}` : 'Post not found'}
      about={
        c && (
          <>
            <ContentBadge status={c.status} />{' '}
            {c.mission && (
              <Link className="link" href={`/missions/${c.mission.id}`}>
                {c.mission.name}
              </Link>
            )}{' '}
            <Zone zone={zone} />{' '}
            {c.platformUrl && (
              <a className="link" href={c.platformUrl} target="_blank" rel="noreferrer">
                View on {platformName(c.platform)}
              </a>
            )}
          </>
        )
      }
      onClose={close}
      footer={
        <>
          {ids.length > 1 && (
            <span className="row">
              <IconButton icon="left" label="Previous post" disabled={at < 1} onClick={() => step(-1)} />
              <span className="small muted num">
                {at + 1} of {ids.length}
              </span>
              <IconButton icon="right" label="Next post" disabled={!to(1)} onClick={() => step(1)} />
            </span>
          )}
          <span className="grow" />
          <Link className="btn" href={`/posts/${id}`}>
            Open the post
          </Link>
        </>
      }
    >
      {c ? (
        <div key={id} className="stack wide">
          {editing ? <Editor content={c} onClose={() => setEditing(false)} onSaved={refresh} /> : <PostContent content={c} zone={zone} />}
          <Why content={c} />
          <PostActions content={c} zone={zone} editing={editing} onEdit={() => setEditing(true)} onChange={refresh} />
          <Figures content={c} />
        </div>
      ) : (
        <p className="muted">It may have been deleted with its mission.</p>
      )}
    </Dialog>
  )
}
