import { useEffect, useRef } from 'react'
import { graphql, requestSubscription } from 'react-relay'
import { Outdated, tell } from './outdated'
import { environment } from './relay'
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

const listeners = new Set<(event: LiveEvent) => void>()
let stop: (() => void) | undefined

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
    },
    onError: (e) => {
      if (e instanceof Outdated) return tell()
      setTimeout(lost, 1000 + 4000 * Math.random())
    },
  })
  stop = dispose
}

// useEvents calls a function with each event whose type starts with one of prefixes.
export function useEvents(prefixes: readonly string[], fn: (event: LiveEvent) => void) {
  const latest = useRef(fn)
  useEffect(() => {
    latest.current = fn
  })
  const key = prefixes.join()
  useEffect(() => {
    const wanted = key.split(',')
    const listen = (event: LiveEvent) => {
      if (wanted.some((p) => event.type.startsWith(p))) latest.current(event)
    }
    listeners.add(listen)
    return () => void listeners.delete(listen)
  }, [key])
}

// useSoon returns a function that has fn called half a second later, once for all calls
// until then.
function useSoon(fn: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(fn)
  useEffect(() => {
    latest.current = fn
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  return () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      latest.current()
    }, 500)
  }
}

const readers = new Set<() => void>()

// missed has all that is shown read again: events may have been missed.
export function missed() {
  for (const read of readers) read()
}

// useRefresh calls a function once a burst of events is over, at most twice a second, and
// when events may have been missed.
export function useRefresh(prefixes: readonly string[], fn: () => void, about: (event: LiveEvent) => boolean = () => true) {
  const soon = useSoon(fn)
  useEvents(prefixes, (event) => {
    if (about(event)) soon()
  })
  useEffect(() => {
    readers.add(soon)
    return () => void readers.delete(soon)
  })
}
