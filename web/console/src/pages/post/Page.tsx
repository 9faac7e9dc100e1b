import './post.css'
import { Suspense, useState } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay'
import { Link, useParams } from 'wouter'
import type { PageQuery } from '../../__generated__/PageQuery.graphql'
import { useFresh, useRefresh } from '../../core/live'
import { useTitle } from '../../core/title'
import { LinkButton } from '../../ui/button'
import { Icon } from '../../ui/icons'
import { Card, Empty, PageHead, Skeleton } from '../../ui/parts'
import { platformName } from '../../ui/platform'
import { Editor } from '../../ui/post/Editor'
import { PostContent } from '../../ui/post/PostContent'
import { ContentBadge } from '../../ui/status'
import { Zone } from '../../ui/time'
import { PostActions } from './PostActions'
import { Figures } from './Figures'
import { Proof } from './Proof'
import { Timeline } from './Timeline'
import { Why } from './Why'

// Page is one post: what its readers see, how it stands and what can be done now, what happened to it,
// its figures, and what proves how it came about.
export default function Page() {
  const { id = '' } = useParams<{ id: string }>()
  const [fetchKey, refresh] = useFresh([])
  useRefresh(['CONTENT_'], refresh, (e) => e.content?.id === id)
  const { content: c } = useLazyLoadQuery<PageQuery>(
    graphql`
      query PageQuery($id: ID!) {
        content(id: $id) {
          ...PostActions_page @relay(mask: false)
          ...Timeline_content
          ...Proof_content
        }
      }
    `,
    { id },
    { fetchPolicy: 'store-and-network', fetchKey },
  )
  const [editing, setEditing] = useState(false)
  useTitle(c ? `Post on ${platformName(c.platform)}` : 'Post')
  if (!c)
    return (
      <div className="page">
        <Empty icon="edit" page title="Post not found" actions={<LinkButton href="/missions">All missions</LinkButton>}>
          It may have been deleted with its mission, or it belongs to another organization.
        </Empty>
      </div>
    )
  const zone = c.mission?.constraints.timezone
  return (
    <div className="page single">
      <PageHead
        title={`${c.type === 'THREAD' ? 'Thread' : 'Post'} on ${platformName(c.platform)}`}
        about={
          <>
            <ContentBadge status={c.status} />
            {c.mission && (
              <Link className="link" href={`/missions/${c.mission.id}/posts`}>
                {c.mission.name}
              </Link>
            )}
            <Zone zone={zone} />
          </>
        }
        actions={
          c.platformUrl && (
            <a className="btn" href={c.platformUrl} target="_blank" rel="noreferrer">
              <Icon name="out" /> View on {platformName(c.platform)}
            </a>
          )
        }
      />
      <div className="columns">
        <div className="stack wide">
          {editing ? <Editor content={c} onClose={() => setEditing(false)} onSaved={refresh} /> : <PostContent content={c} zone={zone} />}
          <Suspense fallback={<Skeleton lines={5} />}>
            <Timeline content={c} zone={zone} onChange={refresh} />
          </Suspense>
        </div>
        <div className="stack wide">
          <Card title="What can be done">
            <Why content={c} />
            <PostActions content={c} zone={zone} editing={editing} onEdit={() => setEditing(true)} onChange={refresh} />
          </Card>
          <Figures content={c} />
          <Proof content={c} zone={zone} />
        </div>
      </div>
    </div>
  )
}
