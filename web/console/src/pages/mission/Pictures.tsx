import { lazy, Suspense, useDeferredValue, useState } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay'
import type { PicturesMutation } from '../../__generated__/PicturesMutation.graphql'
import type { PicturesQuery } from '../../__generated__/PicturesQuery.graphql'
import { useAction } from '../../core/action'
import { plural } from '../../core/format'
import { toast } from '../../core/toast'
import { Button, IconButton } from '../../ui/button'
import { MediaThumb } from '../../ui/media/MediaThumb'
import { Card } from '../../ui/parts'

const MediaPicker = lazy(() => import('../../ui/media/MediaPicker'))

// The service's limits: of a mission's pictures, and of the records of one request.
const most = 200
const shown = 100

type Props = { id: string; ids: readonly string[]; may: boolean }

// Pictures are those that the mission's writer may give to posts.
export function Pictures({ id, ids, may }: Props) {
  const [choosing, setChoosing] = useState(false)
  const loaded = useDeferredValue(ids) // what is there stays until the others are read
  const [run, busy] = useAction<PicturesMutation>(graphql`
    mutation PicturesMutation($id: ID!, $input: UpdateMissionInput!) {
      updateMission(id: $id, input: $input) {
        mission {
          id
          mediaIds
        }
      }
    }
  `)
  const set = (mediaIds: readonly string[]) =>
    run({ variables: { id, input: { mediaIds } }, done: () => (setChoosing(false), toast('Saved. It holds for what is written next.')) })
  return (
    <Card
      title="Pictures for the writer"
      aside={
        may &&
        ids.length < most && (
          <Button icon="plus" onClick={() => setChoosing(true)}>
            Add pictures
          </Button>
        )
      }
    >
      {ids.length === 0 ? (
        <p className="small muted">
          The writer gives no pictures to posts. Add some: each post gets the one whose description fits its text best, or none.
        </p>
      ) : (
        <Suspense fallback={<p className="small muted">{plural(ids.length, 'picture')}</p>}>
          <Tiles ids={loaded.slice(0, shown)} onRemove={may && !busy ? (gone) => set(ids.filter((i) => i !== gone)) : undefined} />
          {ids.length > shown && <p className="small muted">and {plural(ids.length - shown, 'more picture')}</p>}
        </Suspense>
      )}
      {choosing && (
        <Suspense>
          <MediaPicker
            most={most - ids.length}
            onClose={() => setChoosing(false)}
            onChoose={(files) => set([...new Set([...ids, ...files.map((f) => f.id)])])}
          />
        </Suspense>
      )}
    </Card>
  )
}

function Tiles({ ids, onRemove }: { ids: readonly string[]; onRemove?: (id: string) => void }) {
  const { nodes } = useLazyLoadQuery<PicturesQuery>(
    graphql`
      query PicturesQuery($ids: [ID!]!) {
        nodes(ids: $ids) {
          __typename
          ... on Media {
            id
            kind
            url
            altText
            description
            variants {
              contentType
              bytes
              url
            }
          }
        }
      }
    `,
    { ids },
    { fetchPolicy: 'store-and-network' },
  )
  return (
    <ul className="tiles" aria-label="Pictures for the writer">
      {nodes?.map((f) => {
        if (f?.__typename !== 'Media') return null
        const name = f.description || f.altText || 'A picture without a description'
        return (
          <li key={f.id} className="tile">
            <MediaThumb file={f} />
            <span className="row spread">
              <span className="clip small" dir="auto">
                {name}
              </span>
              {onRemove && <IconButton icon="x" label={`Remove: ${name}`} onClick={() => onRemove(f.id)} />}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
