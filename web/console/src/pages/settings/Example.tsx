import { graphql, useLazyLoadQuery } from 'react-relay'
import type { ExampleQuery } from '../../__generated__/ExampleQuery.graphql'
import type { EventType } from '../../core/enums'

// Example is what is sent of a type of events, for example.
export default function Example({ type }: { type: EventType }) {
  const { eventKinds } = useLazyLoadQuery<ExampleQuery>(
    graphql`
      query ExampleQuery {
        eventKinds {
          type
          description
          example
        }
      }
    `,
    {},
  )
  const kind = eventKinds?.find((k) => k.type === type)
  return kind ? (
    <>
      <p className="small">{kind.description}</p>
      <pre className="xsmall scrolls" tabIndex={0} role="region" aria-label="An example">
        {JSON.stringify(kind.example, null, 2)}
      </pre>
    </>
  ) : null
}
