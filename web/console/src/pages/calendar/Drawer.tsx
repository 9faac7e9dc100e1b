import { useState } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay'
import { Link } from 'wouter'
import type { DrawerCancelMutation } from '../../__generated__/DrawerCancelMutation.graphql'
import type { DrawerQuery } from '../../__generated__/DrawerQuery.graphql'
import { useAction } from '../../core/action'
import { dateOf, time } from '../../core/format'
import { useMay } from '../../core/session'
import { toast } from '../../core/toast'
import { clockIn, instant } from '../../core/zone'
import { Button, LinkButton } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Input } from '../../ui/field'
import { platformName } from '../../ui/platform'
import { Note } from '../../ui/parts'
import { Editor } from '../../ui/post/Editor'
import { PostContent } from '../../ui/post/PostContent'
import { Settle } from '../../ui/post/Settle'
import { ContentBadge } from '../../ui/status'
import { Zone } from '../../ui/time'
import type { Item } from './items'
import type { Move } from './useMove'

const cancel = graphql`
  mutation DrawerCancelMutation($id: ID!) {
    cancelContent(id: $id) {
      content {
        id
        status
        scheduledAt
      }
    }
  }
`

// Drawer is a post of the calendar with what can be done about it.
export default function Drawer({ id, zone, onClose, onMove }: { id: string; zone: string; onClose: () => void; onMove: Move }) {
  const { content: c } = useLazyLoadQuery<DrawerQuery>(
    graphql`
      query DrawerQuery($id: ID!) {
        content(id: $id) {
          id
          missionId
          platform
          integrationId
          status
          text
          parts
          revision
          firstComment {
            text
          }
          scheduledAt
          publishedAt
          platformUrl
          error {
            message
          }
          mission {
            id
            name
          }
          ...PostContent_content
          ...Settle_content
          ...items_content
        }
      }
    `,
    { id },
    { fetchPolicy: 'store-and-network' },
  )
  const may = useMay('CONTENT_WRITE')
  const [editing, setEditing] = useState(false)
  const [when, setWhen] = useState<string | null>(null)
  const [run, busy] = useAction<DrawerCancelMutation>(cancel)
  if (!c) return null
  const movable = may && ['PENDING_REVIEW', 'APPROVED', 'SCHEDULED'].includes(c.status)
  const at = c.scheduledAt ? Date.parse(c.scheduledAt) : null
  const local = at === null ? '' : `${dateOf(at, zone)}T${time(at, zone)}`
  const save = () => {
    const [day = '', hm = ''] = (when ?? '').split('T')
    const [h, m] = hm.split(':').map(Number)
    if (at === null || h === undefined || m === undefined || !day) return
    onMove(
      { kind: 'post', key: c.id, at, day: dateOf(at, zone), ...clockIn(at, zone), movable: true, post: c as unknown as Item['post'] },
      instant(day, h, m, zone),
    )
    setWhen(null)
  }
  return (
    <Dialog
      kind="drawer"
      title={
        c.mission ? (
          <Link className="link" href={`/missions/${c.mission.id}`}>
            {c.mission.name}
          </Link>
        ) : (
          'Post'
        )
      }
      about={
        <>
          <ContentBadge status={c.status} />
          {!movable && (
            <>
              {' '}
              <Zone zone={zone} />
            </>
          )}
        </>
      }
      onClose={onClose}
      footer={
        movable && !editing ? (
          <>
            <Button
              look="danger"
              busy={busy}
              onClick={() => run({ variables: { id }, done: () => (toast('Canceled. It won’t be published.'), onClose()) })}
            >
              Cancel the post
            </Button>
            <span className="grow" />
            <Button icon="edit" onClick={() => setEditing(true)}>
              Edit
            </Button>
            {c.status === 'PENDING_REVIEW' && (
              <LinkButton href={`/inbox/${c.id}`} look="primary">
                Review
              </LinkButton>
            )}
          </>
        ) : undefined
      }
    >
      <div className="stack wide">
        {editing ? <Editor content={c} onClose={() => setEditing(false)} /> : <PostContent content={c} zone={zone} />}
        {c.error && <Note tone="bad">{c.error.message}</Note>}
        <Settle content={c} />
        {movable && at !== null && (
          <div className="row when">
            <Input type="datetime-local" label="Goes out" hint={zone} value={when ?? local} onChange={(e) => setWhen(e.target.value)} />
            {when !== null && when !== local && (
              <Button look="primary" onClick={save}>
                Move
              </Button>
            )}
          </div>
        )}
        {c.platformUrl && (
          <a className="link small" href={c.platformUrl} target="_blank" rel="noreferrer">
            View on {platformName(c.platform)}
          </a>
        )}
      </div>
    </Dialog>
  )
}
