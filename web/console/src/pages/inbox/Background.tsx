import { lazy, Suspense } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay'
import type { BackgroundQuery } from '../../__generated__/BackgroundQuery.graphql'
import { Button } from '../../ui/button'
import { Brief } from './Brief'

const Diff = lazy(() => import('../../ui/Diff'))

// Background is what stands behind a post: its brief, and what its text was before. It
// is loaded after the post, so that a decision needn't wait for it.
export function Background({
  id,
  revision,
  differs,
  onDiffer,
}: {
  id: string
  revision: number
  differs: boolean
  onDiffer: (on: boolean) => void
}) {
  const { content } = useLazyLoadQuery<BackgroundQuery>(
    graphql`
      query BackgroundQuery($id: ID!) {
        content(id: $id) {
          id
          revisions {
            revision
            text
          }
          ...Brief_content
        }
      }
    `,
    { id },
    { fetchPolicy: 'store-and-network', fetchKey: revision },
  )
  const text = (n: number) => content?.revisions?.find((r) => r.revision === n)?.text
  const [before, after] = [text(revision - 1), text(revision)]
  return (
    <>
      {before !== undefined && after !== undefined && (
        <>
          <Button look="quiet" icon="diff" shortcut="d" aria-expanded={differs} onClick={() => onDiffer(!differs)}>
            What changed since revision {revision - 1}
          </Button>
          {differs && (
            <Suspense>
              <Diff before={before} after={after} />
            </Suspense>
          )}
        </>
      )}
      {content && <Brief content={content} />}
    </>
  )
}
