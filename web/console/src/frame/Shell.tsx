import { useEffect, useRef, useState } from 'react'
import { fetchQuery, graphql, useLazyLoadQuery } from 'react-relay'
import type { ShellQuery } from '../__generated__/ShellQuery.graphql'
import { setClock } from '../core/clock'
import { follow, followChanges, missed, useChanges, useRefresh } from '../core/live'
import { environment } from '../core/relay'
import { Session } from '../core/session'
import { Frame } from './Frame'

const query = graphql`
  query ShellQuery {
    clock {
      now
      speed
    }
    viewer {
      user {
        id
        name
        email
        role
      }
      tenant {
        id
        name
        plan
        deletesAt
      }
      authMethod
      scopes
    }
    tenantHold {
      reason
      since
      until
    }
    waiting: contents(filter: { status: PENDING_REVIEW }, first: 1) {
      totalCount
    }
    replies(filter: { status: NEW }, first: 1) {
      totalCount
    }
    latest: events(first: 1) {
      edges {
        node {
          id
        }
      }
    }
  }
`

// Shell is what every page has around it: who is signed in, the service's clock, and what happens live.
export function Shell() {
  const { viewer, waiting, replies, latest, clock, tenantHold } = useLazyLoadQuery<ShellQuery>(
    query,
    {},
    { fetchPolicy: 'store-or-network' },
  )
  // The clock is set before anything shows a time, and again with each answer.
  useState(() => clock && setClock(clock.now, clock.speed))
  useEffect(() => {
    if (clock) setClock(clock.now, clock.speed)
  }, [clock])
  const after = useRef(latest?.edges[0]?.node.id ?? null)
  useEffect(() => {
    // Everything is read again, from a moment on that the log is followed from.
    const lost = () =>
      void fetchQuery<ShellQuery>(environment, query, {}, { fetchPolicy: 'network-only' }).subscribe({
        next: (now) => {
          follow(now.latest?.edges[0]?.node.id ?? null, lost)
          missed()
        },
        error: () => setTimeout(lost, 5000),
      })
    follow(after.current, lost)
    followChanges()
  }, [])
  const refresh = () => void fetchQuery<ShellQuery>(environment, query, {}, { fetchPolicy: 'network-only' }).subscribe({ error: () => {} })
  useRefresh(['CONTENT_', 'TENANT_'], refresh)
  useChanges(['REPLIES'], refresh)
  if (!viewer) throw new Error('Sign in again: the session has no user.')
  return (
    <Session value={viewer}>
      <Frame waiting={{ '/inbox': waiting?.totalCount ?? 0, '/replies': replies?.totalCount ?? 0 }} hold={tenantHold ?? null} />
    </Session>
  )
}
