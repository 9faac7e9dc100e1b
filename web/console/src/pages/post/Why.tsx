import { graphql, useFragment } from 'react-relay'
import type { Why_content$key } from '../../__generated__/Why_content.graphql'
import { sentence } from '../../core/format'

// Why says why the post hasn't gone out.
export function Why({ content }: { content: Why_content$key }) {
  const c = useFragment(
    graphql`
      fragment Why_content on Content {
        why {
          reasons {
            code
            message
            failure {
              message
            }
          }
        }
      }
    `,
    content,
  )
  return (
    <ul className="why">
      {c.why?.reasons.map((r) => (
        <li key={r.code}>
          <p>{sentence(r.message)}</p>
          {r.failure && <p className="bad small">{sentence(r.failure.message)}</p>}
        </li>
      ))}
    </ul>
  )
}
