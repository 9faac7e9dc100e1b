// Days and hours in a time zone. A day is YYYY-MM-DD.
import { dateOf, locale } from './format'

const dayMs = 86_400_000

// clockIn returns the hour and minute of a time in a zone.
export function clockIn(t: number, zone: string) {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).formatToParts(t)
  const of = (type: string) => Number(parts.find((p) => p.type === type)?.value)
  return { hour: of('hour'), minute: of('minute') }
}

// instant returns the time of an hour and minute of a day in a zone. Where clocks are put
// forward that may not be there: it is the time an hour later then.
export function instant(day: string, hour: number, minute: number, zone: string) {
  const wall = Date.parse(`${day}T00:00:00Z`) + (hour * 60 + minute) * 60_000
  let t = wall
  for (let i = 0; i < 2; i++) {
    const c = clockIn(t, zone)
    t += wall - (Date.parse(`${dateOf(t, zone)}T00:00:00Z`) + (c.hour * 60 + c.minute) * 60_000)
  }
  return t - (t % 60_000)
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
  return `${first.slice(0, 8)}${Math.min(Number(day.slice(8)), Number(last.slice(8))).toString().padStart(2, '0')}`
}

// zones lists what a person may choose: their own first.
export const zones = () => [...new Set([Intl.DateTimeFormat().resolvedOptions().timeZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]
