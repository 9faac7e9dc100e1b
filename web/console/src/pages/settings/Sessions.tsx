import { graphql, useLazyLoadQuery } from 'react-relay'
import type { SessionsEndMutation } from '../../__generated__/SessionsEndMutation.graphql'
import type { SessionsPreferMutation } from '../../__generated__/SessionsPreferMutation.graphql'
import type { SessionsQuery } from '../../__generated__/SessionsQuery.graphql'
import { useAction } from '../../core/action'
import { dateTime } from '../../core/format'
import { useFresh } from '../../core/live'
import { toast } from '../../core/toast'
import { Button } from '../../ui/button'
import { Check } from '../../ui/field'
import { Badge } from '../../ui/parts'
import { Zone } from '../../ui/time'

// Sessions are where someone is signed in: without a user, where the viewer is.
export default function Sessions({ userId }: { userId?: string }) {
  const [fetchKey, refresh] = useFresh(['MEMBERS'])
  const { sessions, preferences } = useLazyLoadQuery<SessionsQuery>(
    graphql`
      query SessionsQuery($userId: ID) {
        preferences {
          reviewEmails
        }
        sessions(userId: $userId, first: 100) {
          edges {
            node {
              id
              createdAt
              renewedAt
              expiresAt
              current
            }
          }
        }
      }
    `,
    { userId },
    { fetchPolicy: 'store-and-network', fetchKey },
  )
  const [runEnd, busy] = useAction<SessionsEndMutation>(graphql`
    mutation SessionsEndMutation($id: ID!) {
      endSession(id: $id) {
        endedId
      }
    }
  `)
  const [runPrefer, saving] = useAction<SessionsPreferMutation>(graphql`
    mutation SessionsPreferMutation($reviewEmails: Boolean!) {
      updatePreferences(input: { reviewEmails: $reviewEmails }) {
        preferences {
          reviewEmails
        }
      }
    }
  `)
  const list = sessions?.edges.map((e) => e.node) ?? []
  const end = (id: string) =>
    runEnd({
      variables: { id },
      done: () => {
        toast('Session ended.')
        refresh()
      },
    })
  return (
    <div className="stack wide">
      {!userId && preferences && (
        <Check
          label="E-mails about posts that wait for review"
          checked={preferences.reviewEmails}
          disabled={saving}
          onChange={(e) => runPrefer({ variables: { reviewEmails: e.target.checked }, done: refresh })}
        />
      )}
      <p className="muted small">
        A session begins with a sign-in and lasts for 30 days at most. “In use” is accurate to the hour. <Zone />
      </p>
      {list.length === 0 && <p>There are no sessions.</p>}
      <ul className="card rows members" aria-label="Sessions">
        {list.map((s) => {
          const since = dateTime(s.createdAt)
          return (
            <li key={s.id} className="member">
              <div className="grow">
                <p className="row">
                  <span className="strong">Signed in {since}</span>
                  {s.current && <Badge plain>This one</Badge>}
                </p>
                <p className="xsmall muted">
                  {s.renewedAt && `in use ${dateTime(s.renewedAt)}, `}ends {dateTime(s.expiresAt)}
                </p>
              </div>
              {!s.current && (
                <Button busy={busy} aria-label={`End the session of ${since}`} onClick={() => end(s.id)}>
                  End
                </Button>
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
