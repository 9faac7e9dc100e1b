// Days and hours in a time zone. A day is YYYY-MM-DD.
import { dateOf, locale, wallOf } from './format'

const dayMs = 86_400_000
const hourMs = 3_600_000

// clockIn returns the hour and minute of a time in a zone.
export function clockIn(t: number, zone: string) {
  const wall = wallOf(t, zone)
  return { hour: wall.getUTCHours(), minute: wall.getUTCMinutes() }
}

// offset returns how far the clocks of a zone are ahead of UTC at a time, in ms.
const offset = (t: number, zone: string) => +wallOf(t, zone) - Math.floor(t / 1000) * 1000

// instant returns the time of an hour and minute of a day in a zone, as the service chooses it
// for its slots: where clocks are put forward over it, it moves forward by as much, but not to
// the next day, before which it is the last minute; where they are put back it is the first of
// the two.
export function instant(day: string, hour: number, minute: number, zone: string) {
  const wall = Date.parse(`${day}T00:00:00Z`) + (hour * 60 + minute) * 60_000
  // Offsets are between -12 and 14 hours: a change that concerns the time is between these.
  const before = offset(wall - 15 * hourMs, zone)
  const after = offset(wall + 13 * hourMs, zone)
  const shown = [wall - before, wall - after].filter((t) => t + offset(t, zone) === wall)
  if (shown.length > 0) return Math.min(...shown)
  if (dateOf(wall - before, zone) === day) return wall - before
  let [from, to] = [wall - 15 * hourMs, wall + 13 * hourMs]
  while (to - from > 60_000) {
    const middle = from + Math.floor((to - from) / 120_000) * 60_000
    if (offset(middle, zone) === before) from = middle
    else to = middle
  }
  return dateOf(from, zone) === day ? from : wall - before // the whole day may be skipped
}

export const addDays = (day: string, n: number) => new Date(Date.parse(`${day}T00:00:00Z`) + n * dayMs).toISOString().slice(0, 10)

// noon is a time at which every zone formatted as UTC has the same day.
export const noon = (day: string) => `${day}T12:00:00Z`

// firstDay is the day on which the reader's weeks begin: 1 is Monday.
const info = new Intl.Locale(locale) as Intl.Locale & { getWeekInfo?: () => { firstDay: number }; weekInfo?: { firstDay: number } }
const firstDay = (info.getWeekInfo?.() ?? info.weekInfo)?.firstDay ?? 1

// weekOf returns the first day of a day's week.
export function weekOf(day: string) {
  const weekday = new Date(noon(day)).getUTCDay()
  return addDays(day, -((weekday - (firstDay % 7) + 7) % 7))
}

// monthOf returns the six weeks that show a day's month.
export function monthOf(day: string) {
  const from = weekOf(`${day.slice(0, 8)}01`)
  return Array.from({ length: 42 }, (_, i) => addDays(from, i))
}

// addMonths returns the first day of a month some months away.
export function addMonths(day: string, n: number) {
  const d = new Date(noon(`${day.slice(0, 8)}01`))
  d.setUTCMonth(d.getUTCMonth() + n)
  return d.toISOString().slice(0, 10)
}

// sameDayOf returns the day of the same number a month or more away, or that month's last.
export function sameDayOf(day: string, n: number) {
  const first = addMonths(day, n)
  const last = addDays(addMonths(first, 1), -1)
  return `${first.slice(0, 8)}${Math.min(Number(day.slice(8)), Number(last.slice(8)))
    .toString()
    .padStart(2, '0')}`
}

// zones lists what a person may choose: their own first.
export const zones = () => [...new Set([Intl.DateTimeFormat().resolvedOptions().timeZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]
