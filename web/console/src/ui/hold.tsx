import { lazy, Suspense, useState } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay'
import type { holdQuery } from '../__generated__/holdQuery.graphql'
import { useMay } from '../core/session'
import { Button } from './button'

const HoldDialog = lazy(() => import('./HoldDialog'))

// useHeld reports whether everything is on hold. The shell has read it, and reads it again when it changes.
export function useHeld() {
  const { tenantHold } = useLazyLoadQuery<holdQuery>(
    graphql`
      query holdQuery {
        tenantHold {
          since
        }
      }
    `,
    {},
    { fetchPolicy: 'store-or-network' },
  )
  return !!tenantHold
}

// HoldButton stops everything that would go out, for whoever may, until it is on hold.
export function HoldButton() {
  const may = useMay('MISSIONS_WRITE')
  const [asking, setAsking] = useState(false)
  const held = useHeld()
  if (!may) return null
  return (
    <>
      {!held && (
        <Button icon="pause" onClick={() => setAsking(true)}>
          Hold everything …
        </Button>
      )}
      {asking && (
        <Suspense>
          <HoldDialog onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  )
}
