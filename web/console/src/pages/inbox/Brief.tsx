import { graphql, useFragment } from 'react-relay'
import type { Brief_content$key } from '../../__generated__/Brief_content.graphql'
import { list, plural } from '../../core/format'
import { angleName } from '../../core/words'
import { Icon } from '../../ui/icons'
import { Time } from '../../ui/time'

// Brief is what the post is measured against: the mission's brief, the check of its
// text, and what happened to it so far.
export function Brief({ content }: { content: Brief_content$key }) {
  const c = useFragment(
    graphql`
      fragment Brief_content on Content {
        origin
        angle
        costCents
        createdAt
        objective
        mission {
          constraints {
            tone
            excludedTopics
          }
        }
        revisions {
          revision
          authorId
          instructions
          rejectionReason
          verdict {
            passed
            excludedTopic
            topicsChecked
          }
        }
      }
    `,
    content,
  )
  const check = c.revisions?.[0]?.verdict
  const instructions = c.revisions?.find((r) => r.instructions)?.instructions
  return (
    <dl className="brief small">
      {check && (!check.passed || check.topicsChecked > 0) && (
        <div>
          <dt>Check</dt>
          <dd className={check.passed ? 'ok' : 'bad'}>
            <Icon name={check.passed ? 'check' : 'warn'} size={14} />
            {check.passed ? `Mentions none of ${plural(check.topicsChecked, 'excluded topic')}` : `Mentions “${check.excludedTopic}”`}
          </dd>
        </div>
      )}
      {c.mission && (
        <>
          {c.objective && (
            <div>
              <dt>Objective</dt>
              <dd>{c.objective}</dd>
            </div>
          )}
          {c.mission.constraints.tone && (
            <div>
              <dt>Tone</dt>
              <dd>{c.mission.constraints.tone}</dd>
            </div>
          )}
          {c.mission.constraints.excludedTopics.length > 0 && (
            <div>
              <dt>Never about</dt>
              <dd>{list(c.mission.constraints.excludedTopics)}</dd>
            </div>
          )}
        </>
      )}
      {c.angle && (
        <div>
          <dt>Angle</dt>
          <dd>{angleName(c.angle)}</dd>
        </div>
      )}
      {instructions && (
        <div>
          <dt>Instructions</dt>
          <dd>{instructions}</dd>
        </div>
      )}
      <div>
        <dt>Written</dt>
        <dd>
          <span>
            {c.origin === 'PERSON' ? 'by a person' : 'by the writer'}, <Time at={c.createdAt} />
          </span>
        </dd>
      </div>
    </dl>
  )
}
