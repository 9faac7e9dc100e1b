import { clockSpeed, useNow } from '../core/clock'
import { dateTime, list } from '../core/format'
import { usePlatforms } from '../text/limits'
import { platformName } from './platform'
import { Time } from './time'

// useWaiting returns the names of those platforms whose posts wait because their account must be
// connected again. A post without an account goes out through the default one.
function useWaiting(platforms: readonly string[], account?: string | null) {
  const all = usePlatforms()
  return platforms
    .filter((p) => {
      const accounts = all.find((c) => c.platform === p)?.accounts ?? []
      return accounts.some((a) => (account ? a.id === account : a.default) && a.status === 'NEEDS_RECONNECT')
    })
    .map(platformName)
}

// overdue reports whether a slot has passed for so long that a post that isn't out is late: not
// while it is being published.
export const overdue = (at: string, now: number) => now - Date.parse(at) > Math.max(300_000, 15_000 * clockSpeed())

// Due is when a post that waits goes out or, once its slot has passed, since when it is overdue
// and what it waits for.
export function Due({
  at,
  zone,
  platforms,
  account,
  exact,
}: {
  at: string
  zone?: string
  platforms: readonly string[]
  account?: string | null
  exact?: boolean
}) {
  const now = useNow()
  const waiting = useWaiting(platforms, account)
  if (!overdue(at, now)) return <Time at={at} zone={zone} exact={exact} ahead />
  return (
    <span className="bad-text">
      {'Overdue since '}
      <time dateTime={at} className="num">
        {dateTime(at, zone)}
      </time>
      {waiting.length > 0 && <>: waits for {list(waiting)} to be connected again</>}
    </span>
  )
}
