import { startTransition, useCallback, useEffect, useRef, useState } from 'react'
import { graphql, requestSubscription } from 'react-relay'
import { useLocation } from 'wouter'
import { openedAt, serviceNow } from './clock'
import { Outdated, tell } from './outdated'
import { notSoon, soon } from './pace'
import { environment, forget } from './relay'
import type { ChangeKind, liveChangesSubscription } from '../__generated__/liveChangesSubscription.graphql'
import type { liveSubscription, liveSubscription$data } from '../__generated__/liveSubscription.graphql'

export type LiveEvent = NonNullable<liveSubscription$data['events']>

// One subscription a tab: what an event is about comes with it, and so every place
// that shows it is right. Lists that an event may add to listen with useEvents.
const subscription = graphql`
  subscription liveSubscription($after: ID) {
    events(after: $after) {
      id
      type
      createdAt
      data
      content {
        id
        status
        revision
        text
        parts
        scheduledAt
        publishedAt
        expiresAt
        platformUrl
        rejectionReason
        error {
          code
          message
        }
        updatedAt
      }
      mission {
        id
        name
        status
        pausedAt
        endsAt
        nextPublishAt
        allowedActions
        spentCents
        reservedCents
        contentCounts {
          generated
          pendingReview
          approved
          published
          scheduled
        }
        kpiProgress {
          metric
          platform
          target
          current
          trend
          neededPerDay
          reportedBy
        }
      }
    }
  }
`

// After so many events what they brought is dropped, unless it is shown.
const manyEvents = 200

const listeners = new Set<(event: LiveEvent) => void>()
let stop: (() => void) | undefined
let seen = 0

// follow starts the subscription with the events after one. It calls lost when the log no
// longer has that event, so that all that is shown may be old.
export function follow(after: string | null, lost: () => void) {
  stop?.()
  const { dispose } = requestSubscription<liveSubscription>(environment, {
    subscription,
    variables: { after },
    onNext: (response) => {
      const event = response?.events
      if (event) for (const listen of listeners) listen(event)
      if (++seen % manyEvents === 0) forget()
    },
    onError: (e) => {
      if (e instanceof Outdated) return tell()
      setTimeout(lost, 1000 + 4000 * Math.random())
    },
  })
  stop = dispose
}

// useListener adds fn, as it was last rendered, to a set of listeners.
function useListener<T>(set: Set<(value: T) => void>, fn: (value: T) => void) {
  const latest = useRef(fn)
  useEffect(() => {
    latest.current = fn
  })
  useEffect(() => {
    const listen = (value: T) => latest.current(value)
    set.add(listen)
    return () => void set.delete(listen)
  }, [set])
}

// useEvents calls a function with each event whose type starts with one of prefixes.
export function useEvents(prefixes: readonly string[], fn: (event: LiveEvent) => void) {
  useListener(listeners, (event) => {
    if (prefixes.some((p) => event.type.startsWith(p))) fn(event)
  })
}

// useSoon returns a function that has fn called soon, once for all calls until then.
export function useSoon(fn: () => void) {
  const latest = useRef(fn)
  useEffect(() => {
    latest.current = fn
  })
  const read = useCallback(() => latest.current(), [])
  useEffect(() => () => notSoon(read), [read])
  return useCallback(() => soon(read), [read])
}

const readers = new Set<() => void>()

// missed has all that is shown read again: events may have been missed.
export function missed() {
  for (const read of readers) read()
}

// useRefresh calls a function soon after events, once for a burst of them, and when events may
// have been missed.
export function useRefresh(prefixes: readonly string[], fn: () => void, about: (event: LiveEvent) => boolean = () => true) {
  const soon = useSoon(fn)
  useEvents(prefixes, (event) => {
    if (about(event)) soon()
  })
  useListener(readers, soon)
}

// What has no events is followed by its kind: keys, members, webhooks and their
// deliveries, connections, settings, and what is stated about missions.
const changes = graphql`
  subscription liveChangesSubscription {
    changes {
      kinds
    }
  }
`

const kindListeners = new Set<(kinds: readonly ChangeKind[]) => void>()

// followChanges starts the subscription. Its first message, at the start and after each
// loss of the socket, has all kinds: what is shown may be older.
export function followChanges() {
  requestSubscription<liveChangesSubscription>(environment, {
    subscription: changes,
    variables: {},
    onNext: (response) => {
      const kinds = response?.changes?.kinds
      if (kinds) for (const listen of kindListeners) listen(kinds)
    },
    onError: (e) => {
      if (e instanceof Outdated) return tell()
      setTimeout(followChanges, 1000 + 4000 * Math.random())
    },
  })
}

// useChanges calls a function soon after records of one of some kinds were changed.
export function useChanges(kinds: readonly ChangeKind[], fn: () => void) {
  const soon = useSoon(fn)
  useListener(kindListeners, (changed) => {
    if (changed.some((k) => kinds.includes(k))) soon()
  })
}

// useFresh returns the fetch key of a query, a function that has it fetched again, as
// changes of some kinds do, and the service's time of that fetch. A query that depends on the
// time takes it from here: computed while rendering it would be another one each time that
// React renders anew, and so be asked without end.
export function useFresh(kinds: readonly ChangeKind[]): [number, () => void, number] {
  const [path] = useLocation()
  const [fetch, setFetch] = useState(() => ({ key: 0, at: openedAt(path) }))
  const refresh = () => {
    const at = serviceNow()
    startTransition(() => setFetch(({ key }) => ({ key: key + 1, at })))
  }
  useChanges(kinds, refresh)
  return [fetch.key, refresh, fetch.at]
}

// What one request may read of a list.
const most = 100

// useRenew returns how a list of which a number is loaded is read again, to be called when
// it may have changed: at its length, and beyond what one request may read only when asked
// to. Then it is behind, until it begins anew.
export function useRenew(
  loaded: number,
  page: number,
  refetch: (variables: { count: number }, options: { fetchPolicy: 'network-only' }) => unknown,
) {
  const [behind, setBehind] = useState(false)
  const read = (count: number) => startTransition(() => void refetch({ count }, { fetchPolicy: 'network-only' }))
  return {
    renew: () => (loaded > most ? setBehind(true) : read(Math.max(loaded, page))),
    behind,
    begin: () => {
      setBehind(false)
      read(page)
    },
  }
}
