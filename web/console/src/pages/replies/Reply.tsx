import { graphql, useFragment } from 'react-relay'
import { Link } from 'wouter'
import type { CommentStatus, Reply_reply$data, Reply_reply$key, ReplyStatus } from '../../__generated__/Reply_reply.graphql'
import { sentence } from '../../core/format'
import { table } from '../../core/table'
import { Button } from '../../ui/button'
import { Icon } from '../../ui/icons'
import type { Tone } from '../../ui/parts'
import { PlatformMark, platformName } from '../../ui/platform'
import { PostLink } from '../../ui/post/PostLink'
import { State, unknown } from '../../ui/status'
import { Time } from '../../ui/time'
import { Answer } from './Answer'

const states = table<ReplyStatus, [string, Tone]>(
  {
    NEW: ['New', 'info'],
    ANSWERED: ['Answered', 'ok'],
    DONE: ['Set aside', ''],
    HIDDEN: ['Hidden', ''],
    DELETED: ['Deleted', ''],
  },
  unknown,
)

const answers = table<CommentStatus, [string, Tone]>(
  {
    WAITING: ['Waiting', 'live'],
    PUBLISHING: ['Sending', 'live'],
    PUBLISHED: ['Published', 'ok'],
    UNKNOWN: ['Checking', 'live'],
    FAILED: ['Failed', 'bad'],
    CANCELED: ['Canceled', ''],
  },
  unknown,
)

// stateOf returns the badge of a reply. One that is only on its way to its state says so.
function stateOf({ status, answer, hiding }: Reply_reply$data): [string, Tone] {
  if (status === 'ANSWERED' && answer?.status !== 'PUBLISHED') return ['Being answered', 'live']
  if (status === 'HIDDEN' && hiding && !hiding.done) return ['Being hidden', 'live']
  return states(status)
}

// Reply is what a stranger wrote, as text, with what was and what can be done about it.
export function Reply({
  reply,
  answering,
  onAnswer,
  onClose,
  onHide,
  onAside,
}: {
  reply: Reply_reply$key
  answering: boolean
  onAnswer?: () => void
  onClose: () => void
  onHide?: () => void
  onAside?: () => void
}) {
  const r = useFragment(
    graphql`
      fragment Reply_reply on Reply {
        id
        platform
        integrationId
        status
        author {
          handle
          name
        }
        text
        platformUrl
        publishedAt
        receivedAt
        changedAt
        content {
          id
          text
        }
        mission {
          id
          name
        }
        answer {
          text
          status
          platformUrl
          error {
            message
          }
        }
        why {
          summary
        }
        hiding {
          done
          error {
            message
          }
        }
      }
    `,
    reply,
  )
  const { name, handle } = r.author
  const who = name || handle || 'Somebody'
  const deleted = r.status === 'DELETED'
  return (
    <li id={r.id} tabIndex={-1} className="reply stack" aria-label={`Reply by ${who}`}>
      <div className="row wrap">
        <PlatformMark platform={r.platform} />
        <bdi className="strong">{who}</bdi>
        {name && handle && <bdi className="muted small">@{handle}</bdi>}
        <span className="muted small">
          <Time at={r.publishedAt ?? r.receivedAt} />
          {r.changedAt && !deleted && ', changed since'}
        </span>
        <span className="grow" />
        <State of={stateOf(r)} />
      </div>
      {deleted ? (
        <p className="muted">It is no longer on {platformName(r.platform)}.</p>
      ) : (
        <p className="text" dir="auto">
          {r.text}
        </p>
      )}
      <p className="about small muted row">
        {r.content && (
          <>
            <span className="nowrap">To the post</span>
            <PostLink id={r.content.id} className="link clip" dir="auto">
              {r.content.text}
            </PostLink>
          </>
        )}
        {r.mission && (
          <Link href={`/missions/${r.mission.id}`} className="link clip mission">
            {r.mission.name}
          </Link>
        )}
      </p>
      {r.hiding?.error && <p className="problem">Not hidden: {sentence(r.hiding.error.message)}</p>}
      {r.answer && <Given answer={r.answer} platform={r.platform} why={r.why?.summary} />}
      {answering ? (
        <Answer reply={r} onClose={onClose} />
      ) : (
        <div className="row wrap">
          {onAnswer && (
            <Button icon="reply" onClick={onAnswer}>
              {r.answer ? 'Answer again' : 'Answer'}
            </Button>
          )}
          {onAside && (
            <Button look="quiet" icon={r.status === 'NEW' ? 'check' : 'undo'} onClick={onAside}>
              {r.status === 'NEW' ? 'Set aside' : 'Take up again'}
            </Button>
          )}
          {onHide && (
            <Button look="quiet" icon="x" onClick={onHide}>
              Hide
            </Button>
          )}
          {r.platformUrl && (
            <a className="btn quiet" href={r.platformUrl} target="_blank" rel="noreferrer">
              <Icon name="out" /> Open on {platformName(r.platform)}
            </a>
          )}
        </div>
      )}
    </li>
  )
}

// Given is an answer, and what became of it, or why it waits.
function Given({ answer, platform, why }: { answer: NonNullable<Reply_reply$data['answer']>; platform: string; why?: string }) {
  const open = answer.status === 'UNKNOWN' && answer.error
  return (
    <div className="given stack">
      <div className="row wrap small">
        <span className="muted">The answer</span>
        <State of={open ? ['Unknown', 'warn'] : answers(answer.status)} />
        {answer.platformUrl && (
          <a className="link" href={answer.platformUrl} target="_blank" rel="noreferrer">
            See it on {platformName(platform)}
          </a>
        )}
      </div>
      <p className="text" dir="auto">
        {answer.text}
      </p>
      {answer.status === 'WAITING' && why && <p className="muted small">{sentence(why)}</p>}
      {answer.error && <p className="problem">{sentence(answer.error.message)}</p>}
    </div>
  )
}
