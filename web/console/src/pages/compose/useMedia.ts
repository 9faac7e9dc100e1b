import { useEffect, useState } from 'react'
import { fetchQuery, graphql } from 'react-relay'
import type { useMediaQuery, useMediaQuery$data } from '../../__generated__/useMediaQuery.graphql'
import { useRefresh } from '../../core/live'
import { environment } from '../../core/relay'

const query = graphql`
  query useMediaQuery($ids: [ID!]!) {
    nodes(ids: $ids) {
      ... on Media {
        id
        kind
        status
        altText
        width
        height
        url
        error {
          message
        }
        variants {
          platforms
          contentType
          bytes
          width
          height
          url
        }
      }
    }
  }
`

type Node = NonNullable<NonNullable<useMediaQuery$data['nodes']>[number]>
export type Media = Node & { id: string }

// useMedia returns files of the library by their ids, as they are now.
export function useMedia(ids: readonly string[]): ReadonlyMap<string, Media> {
  const [found, setFound] = useState<ReadonlyMap<string, Media>>(new Map())
  const [turn, setTurn] = useState(0)
  const key = [...new Set(ids)].sort().slice(0, 100).join()
  useRefresh(['MEDIA_'], () => key && setTurn((n) => n + 1))
  useEffect(() => {
    if (!key) return
    const request = fetchQuery<useMediaQuery>(environment, query, { ids: key.split(',') }).subscribe({
      next: (r) => setFound(new Map((r.nodes ?? []).flatMap((n) => (n?.id ? [[n.id, n as Media] as const] : [])))),
      error: () => {}, // they are shown without their pictures
    })
    return () => request.unsubscribe()
  }, [key, turn])
  return found
}
