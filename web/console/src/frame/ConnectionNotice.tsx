import { useEffect, useState, useSyncExternalStore } from 'react'
import { limit } from '../core/limit'
import { connection } from '../core/socket'
import { Icon } from '../ui/icons'

// ConnectionNotice says that what is shown may be old, since the service can't be reached or
// answers no more requests for now.
export function ConnectionNotice() {
  const state = useSyncExternalStore(connection.watch, connection.get)
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (state === 'connected') return setLate(false)
    const timer = setTimeout(() => setLate(true), state === 'offline' ? 2500 : 10_000)
    return () => clearTimeout(timer)
  }, [state])
  const limited = useSyncExternalStore(limit.watch, limit.get)
  return (
    <div role="status">
      {late ? (
        <p className="offline small">
          <Icon name="warn" size={14} /> Not connected. What you see may be out of date. The page continues by itself once the service is
          back.
        </p>
      ) : (
        limited && (
          <p className="offline small">
            <Icon name="clock" size={14} /> Your organization has reached its limit of requests. This page continues by itself in a moment.
          </p>
        )
      )}
    </div>
  )
}
