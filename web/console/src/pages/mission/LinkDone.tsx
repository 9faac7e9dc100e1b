import { graphql, useLazyLoadQuery } from 'react-relay'
import { Link } from 'wouter'
import type { LinkDoneQuery } from '../../__generated__/LinkDoneQuery.graphql'
import { inWords } from '../../core/table'
import { Time } from '../../ui/time'

// LinkDone is what was decided last with a review link.
export default function LinkDone({ link, zone }: { link: string; zone: string }) {
  const { auditLog } = useLazyLoadQuery<LinkDoneQuery>(
    graphql`
      query LinkDoneQuery($filter: AuditFilter) {
        auditLog(filter: $filter, first: 20) {
          edges {
            node {
              id
              details
              createdAt
            }
          }
        }
      }
    `,
    { filter: { targetId: link, action: 'REVIEW_LINK_DECIDED' } },
    { fetchPolicy: 'store-and-network' },
  )
  const entries = (auditLog?.edges ?? []).map((e) => e.node)
  return (
    <ul className="stack tight xsmall" aria-label="Decisions">
      {entries.map((e) => (
        <li key={e.id}>
          <Link className="link" href={`/posts/${String(e.details.content_id)}`}>
            {inWords(String(e.details.decision))}
          </Link>{' '}
          <Time at={e.createdAt} zone={zone} exact />
        </li>
      ))}
      {entries.length === 0 && <li className="muted">Nothing was decided with it: only commented on.</li>}
    </ul>
  )
}
