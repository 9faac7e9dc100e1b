import { Suspense, useState } from 'react'
import { graphql, useFragment } from 'react-relay'
import { useLocation } from 'wouter'
import type { PostActions_content$key } from '../../__generated__/PostActions_content.graphql'
import type { PostActionsApproveMutation } from '../../__generated__/PostActionsApproveMutation.graphql'
import type { PostActionsCancelMutation } from '../../__generated__/PostActionsCancelMutation.graphql'
import type { PostActionsDuplicateMutation } from '../../__generated__/PostActionsDuplicateMutation.graphql'
import type { PostActionsRejectMutation } from '../../__generated__/PostActionsRejectMutation.graphql'
import type { PostActionsReopenMutation } from '../../__generated__/PostActionsReopenMutation.graphql'
import { useAction } from '../../core/action'
import { storeDraft } from '../../core/drafts'
import { localOf } from '../../core/format'
import { useKeys } from '../../core/keys'
import { useMay } from '../../core/session'
import { toast } from '../../core/toast'
import { instant } from '../../core/zone'
import { Button } from '../../ui/button'
import { Input } from '../../ui/field'
import { Settle } from '../../ui/post/Settle'
import { useMove } from '../calendar/useMove'
import { RejectDialog, RewriteDialog } from '../inbox/dialogs'
import { reasonFor } from '../inbox/useDecisions'

const approve = graphql`
  mutation PostActionsApproveMutation($id: ID!, $revision: Int!) {
    approveContent(id: $id, revision: $revision) {
      content {
        ...PostActions_content
      }
    }
  }
`
const reject = graphql`
  mutation PostActionsRejectMutation($id: ID!, $revision: Int!, $reason: String) {
    rejectContent(id: $id, revision: $revision, reason: $reason) {
      content {
        ...PostActions_content
      }
    }
  }
`
const reopen = graphql`
  mutation PostActionsReopenMutation($id: ID!) {
    reopenContent(id: $id) {
      content {
        ...PostActions_content
      }
    }
  }
`
const cancel = graphql`
  mutation PostActionsCancelMutation($id: ID!) {
    cancelContent(id: $id) {
      content {
        ...PostActions_content
      }
    }
  }
`
const duplicate = graphql`
  mutation PostActionsDuplicateMutation($input: CreateContentInput!) {
    createContent(input: $input) {
      content {
        id
      }
    }
  }
`

// What a post's page and its drawer have of it.
graphql`
  fragment PostActions_page on Content {
    id
    type
    platform
    integrationId
    accountHandle
    status
    text
    parts
    revision
    firstComment {
      text
    }
    media {
      part
    }
    platformUrl
    mission {
      id
      name
      constraints {
        timezone
      }
    }
    ...PostContent_content
    ...Why_content
    ...PostActions_content
    ...Figures_content
  }
`

type Props = { content: PostActions_content$key; zone?: string; editing: boolean; onEdit: () => void; onChange: () => void }

// PostActions are what a person can do about the post now.
export function PostActions({ content, zone = 'UTC', editing, onEdit, onChange }: Props) {
  const c = useFragment(
    graphql`
      fragment PostActions_content on Content {
        id
        missionId
        platform
        integrationId
        status
        type
        text
        parts
        firstComment {
          text
        }
        media {
          mediaId
          part
          altText
        }
        revision
        scheduledAt
        expiresAt
        updatedAt
        allowedActions
        mission {
          id
          status
        }
        ...Settle_content
      }
    `,
    content,
  )
  const may = useMay('CONTENT_WRITE')
  const [, go] = useLocation()
  const [open, setOpen] = useState<'reject' | 'rewrite' | null>(null)
  const [runApprove, approving] = useAction<PostActionsApproveMutation>(approve)
  const [runReject] = useAction<PostActionsRejectMutation>(reject)
  const [runReopen, reopening] = useAction<PostActionsReopenMutation>(reopen)
  const [runCancel, canceling] = useAction<PostActionsCancelMutation>(cancel)
  const [runDuplicate, duplicating] = useAction<PostActionsDuplicateMutation>(duplicate)
  const allows = (action: (typeof c.allowedActions)[number]) => may && !editing && c.allowedActions.includes(action)
  const said = (text: string) => () => {
    toast(text)
    onChange()
  }
  const { id, revision } = c
  const doApprove = () => runApprove({ variables: { id, revision }, done: said('Approved.') })
  useKeys([
    { keys: 'a', label: 'Approve', run: doApprove, off: !allows('APPROVE') },
    { keys: 'r', label: 'Reject', run: () => setOpen('reject'), off: !allows('REJECT') },
    { keys: 'e', label: 'Edit', run: onEdit, off: !allows('EDIT') },
    { keys: 'g r', label: 'Rewrite', run: () => setOpen('rewrite'), off: !allows('REGENERATE') },
  ])
  const copies = may && !editing && (c.mission?.status === 'ACTIVE' || c.mission?.status === 'PAUSED')
  const copy = () =>
    runDuplicate({
      variables: {
        input: {
          missionId: c.missionId,
          platform: c.platform,
          integrationId: c.integrationId,
          ...(c.parts.length > 0 ? { parts: c.parts } : { text: c.text }),
          ...(c.firstComment && { firstComment: c.firstComment.text }),
          ...(c.media.length > 0 && { media: c.media.map(({ mediaId, part, altText }) => ({ mediaId, part, altText })) }),
        },
      },
      done: (r) => {
        const made = r.createContent?.content
        if (made) go(`/posts/${made.id}`)
        toast('Duplicated, in the next free slot.')
      },
    })
  const again: Record<string, string> = { FAILED: 'Try again', EXPIRED: 'Give it a new slot', CANCELED: 'Give it a new slot' }
  return (
    <div className="stack act">
      <div className="row wrap">
        {allows('APPROVE') && (
          <Button look="primary" icon="check" shortcut="a" busy={approving} onClick={doApprove}>
            Approve
          </Button>
        )}
        {allows('REJECT') && (
          <Button icon="x" shortcut="r" onClick={() => setOpen('reject')}>
            Reject
          </Button>
        )}
        {allows('REOPEN') && (
          <Button
            look={again[c.status] ? 'primary' : 'plain'}
            icon="redo"
            busy={reopening}
            onClick={() => runReopen({ variables: { id }, done: said('It waits for review again.') })}
          >
            {again[c.status] ?? 'Back to review'}
          </Button>
        )}
        {allows('EDIT') && (
          <Button icon="edit" shortcut="e" onClick={onEdit}>
            {c.status === 'FAILED' ? 'Edit and try again' : 'Edit'}
          </Button>
        )}
        {allows('REGENERATE') && (
          <Button icon="bulb" shortcut="g r" onClick={() => setOpen('rewrite')}>
            Rewrite
          </Button>
        )}
        {copies && (
          <Button icon="copy" busy={duplicating} onClick={copy}>
            Duplicate
          </Button>
        )}
        <Settle content={c} />
        {allows('CANCEL') && (
          <Button
            look="danger"
            busy={canceling}
            onClick={() => runCancel({ variables: { id }, done: said('Canceled. It won’t be published.') })}
          >
            Cancel the post
          </Button>
        )}
      </div>
      {allows('RESCHEDULE') && c.scheduledAt && <Slot key={c.scheduledAt} post={c} at={Date.parse(c.scheduledAt)} zone={zone} />}
      {!may && <p className="small muted">Your role may look at posts, and not change them.</p>}
      {open === 'reject' && (
        <RejectDialog
          ids={[id]}
          onClose={() => setOpen(null)}
          onReject={(reason) => {
            setOpen(null)
            runReject({
              variables: { id, revision, reason: reason || null },
              done: () => (storeDraft(reasonFor([id]), null), said('Rejected.')()),
              failed: () => (setOpen('reject'), false), // its reason is still there
            })
          }}
        />
      )}
      {open === 'rewrite' && (
        <Suspense fallback={null}>
          <RewriteDialog seen={c} now={c} onClose={() => setOpen(null)} onSaw={onChange} />
        </Suspense>
      )}
    </div>
  )
}

// Slot is when the post goes out, and moves it.
function Slot({
  post,
  at,
  zone,
}: {
  post: { id: string; status: Parameters<ReturnType<typeof useMove>>[0]['post']['status'] }
  at: number
  zone: string
}) {
  const before = localOf(at, zone)
  const [typed, setTyped] = useState<string | null>(null) // somebody else may move it meanwhile
  const when = typed ?? before
  const move = useMove(zone)
  const save = () => {
    const [day = '', hm = ''] = when.split('T')
    const [h, m] = hm.split(':').map(Number)
    if (day && h !== undefined && m !== undefined) move({ at, post }, instant(day, h, m, zone))
  }
  return (
    <div className="row when">
      <Input type="datetime-local" label="Goes out" hint={zone} value={when} onChange={(e) => setTyped(e.target.value)} />
      {when !== before && <Button onClick={save}>Move</Button>}
    </div>
  )
}
