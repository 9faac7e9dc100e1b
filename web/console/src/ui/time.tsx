import { useNow } from '../core/clock'
import { dateTime, dayYear, full, ownZone, relative } from '../core/format'

// Time is a point in time: how far away it is or, with exact, its date and hour, or with date its day. Its
// title has all of it. What isn't ahead happened now at the latest, though the page's clock
// is a moment late.
export function Time({ at, zone, exact, date, ahead }: { at: string; zone?: string; exact?: boolean; date?: boolean; ahead?: boolean }) {
  const now = useNow()
  return (
    <time dateTime={at} title={full(at, zone)} className="num">
      {date ? dayYear(at, zone) : exact ? dateTime(at, zone) : relative(at, ahead ? now : Math.max(now, Date.parse(at)))}
    </time>
  )
}

// Zone says which zone times are in, the reader's or another: once on a page, or by a
// control.
export const Zone = ({ zone = ownZone() }: { zone?: string }) => <span className="zone">Times in {zone}</span>

// urgency returns how pressing a deadline is.
export function urgency(at: string, from: string, now: number): 'bad' | 'warn' | '' {
  const left = Date.parse(at) - now
  const whole = Date.parse(at) - Date.parse(from)
  if (left < whole * 0.1 || left < 15 * 60_000) return 'bad'
  return left < whole * 0.25 ? 'warn' : ''
}
