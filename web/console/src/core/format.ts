// Numbers, money and times, as the reader's language writes them.
export const locale = navigator.language || 'en'

const cache = new Map<string, Intl.DateTimeFormat>()

// formatter formats by the calendar that the console's grid and fields have, in every country.
function formatter(zone: string | undefined, wanted: Intl.DateTimeFormatOptions) {
  const options = { ...wanted, calendar: 'gregory' }
  const key = `${zone}|${JSON.stringify(options)}`
  let f = cache.get(key)
  if (!f) {
    try {
      f = new Intl.DateTimeFormat(locale, { ...options, timeZone: zone })
    } catch {
      f = new Intl.DateTimeFormat(locale, options) // a zone that this browser doesn't know
    }
    cache.set(key, f)
  }
  return f
}

type When = string | number | Date
const date = (t: When) => (t instanceof Date ? t : new Date(t))

// ownZone is the reader's time zone.
export const ownZone = () => localStorage.getItem('zone') ?? Intl.DateTimeFormat().resolvedOptions().timeZone

export const time = (t: When, zone = ownZone()) => formatter(zone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(date(t))
export const day = (t: When, zone = ownZone()) => formatter(zone, { weekday: 'short', day: 'numeric', month: 'short' }).format(date(t))
export const dayLong = (t: When, zone = ownZone()) => formatter(zone, { weekday: 'long', day: 'numeric', month: 'long' }).format(date(t))
export const dayShort = (t: When, zone = ownZone()) => formatter(zone, { day: 'numeric', month: 'short' }).format(date(t))
export const dayYear = (t: When, zone = ownZone()) => formatter(zone, { day: 'numeric', month: 'short', year: 'numeric' }).format(date(t))
export const dateTime = (t: When, zone = ownZone()) =>
  formatter(zone, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(date(t))
export const full = (t: When, zone = ownZone()) =>
  formatter(zone, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  }).format(date(t))

// dateOf returns the day of a time in a zone, as YYYY-MM-DD.
export const dateOf = (t: When, zone = ownZone()) => wallOf(t, zone).toISOString().slice(0, 10)

// localOf returns what the clocks of a zone show at a time, as a field of a day and hour takes it.
export const localOf = (t: When, zone: string) => wallOf(t, zone).toISOString().slice(0, 16)

const walls = new Map<string, Intl.DateTimeFormat>()

// wallOf returns what the clocks of a zone show at a time, as if they showed UTC.
export function wallOf(t: When, zone: string): Date {
  let f = walls.get(zone)
  if (!f) {
    const options = {
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    } as const
    try {
      f = new Intl.DateTimeFormat('en', { ...options, timeZone: zone })
    } catch {
      f = new Intl.DateTimeFormat('en', options) // a zone that this browser doesn't know
    }
    walls.set(zone, f)
  }
  const p = Object.fromEntries(f.formatToParts(date(t)).map((x) => [x.type, Number(x.value)])) as Record<
    'year' | 'month' | 'day' | 'hour' | 'minute' | 'second',
    number
  >
  return new Date(Date.UTC(p.year, p.month - 1, p.day, p.hour, p.minute, p.second))
}

const relativeFormat = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' })
const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

const sameYear = (t: When, now: number) => dateOf(t).slice(0, 4) === dateOf(now).slice(0, 4)

// relative returns how far a time is from now: "in 3 hr.", "2 days ago"; beyond some days its
// date.
export function relative(t: When, now: number) {
  const seconds = (date(t).getTime() - now) / 1000
  // Farther away the date says more than a number of weeks.
  if (Math.abs(seconds) >= 6 * 86_400) return (sameYear(t, now) ? dayShort : dayYear)(t)
  for (const [unit, size] of units) if (Math.abs(seconds) >= size) return relativeFormat.format(Math.trunc(seconds / size), unit)
  return seconds > 0 ? 'in a moment' : 'just now'
}

// span returns a length of time in its two largest units: "2 h 5 min".
export function span(ms: number) {
  const s = Math.round(ms / 1000)
  if (s < 1) return `${Math.round(ms)} ms`
  const parts: [number, string][] = [
    [Math.floor(s / 86_400), 'd'],
    [Math.floor(s / 3600) % 24, 'h'],
    [Math.floor(s / 60) % 60, 'min'],
    [s % 60, 's'],
  ]
  const from = parts.findIndex(([n]) => n > 0)
  return parts
    .slice(from, from + 2)
    .filter(([n]) => n > 0)
    .map(([n, u]) => `${n} ${u}`)
    .join(' ')
}

const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 })
const compactFormat = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })
const fine = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 })
const dollars = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' })

export const count = (n: number) => whole.format(n)
export const compact = (n: number) => (Math.abs(n) >= 10_000 ? compactFormat : Math.abs(n) >= 10 ? whole : fine).format(n)
export const money = (cents: number) => dollars.format(cents / 100)

// figure formats a metric's value: a rate has two digits and a percent sign.
export const figure = (metric: string, value: number) => (metric === 'ENGAGEMENT_RATE' ? `${fine.format(value)} %` : compact(value))

// plural returns "1 post", "3 posts".
export const plural = (n: number, one: string, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`

// sentence returns a message of the service or another one as people read it here, with a full stop at its end.
export const sentence = (message: string) => {
  const text = readable(message).trim()
  return /[.!?。！？…]$/.test(text) ? text : `${text}.`
}

// list joins words: "a, b and c".
export const list = (words: readonly string[]) =>
  new Intl.ListFormat(locale.startsWith('en') ? locale : 'en', { type: 'conjunction' }).format(words)

// formatDate formats a day by Intl's options, as UTC.
export const formatDate = (t: When, options: Intl.DateTimeFormatOptions) => formatter('UTC', options).format(date(t))

// instants are the times that messages of the service name.
const instants = /\d{4}-\d\d-\d\dT[\d:.]+Z/g

// kinds are what people call the records whose ids messages name.
const kinds: Readonly<Record<string, string>> = { cnt: 'post', int: 'account', med: 'file', msn: 'mission', usr: 'member' }

// readable returns a message of the service as people read it here: without hints for clients of the API and for operators,
// and without ids; their organization is the service's tenant, and times are in their zone, or as at writes them.
export const readable = (message: string, at = (t: string) => `${dateTime(t)} (${ownZone()})`) =>
  message
    .replace(/^This operation needs the scope .*/, 'Your role doesn’t allow this.')
    .replace(/ \((API: |--)[^)]*\)/g, '')
    .replace(/:? "?[a-z]{3}_[\da-z]{26}"?(?=\.$)/, '')
    .replace(/^([a-z]{3})_[\da-z]{26}\b/, (_, kind: string) => `This ${kinds[kind] ?? 'record'}`)
    .replace(/\b([Aa])(?= tenant)/g, '$1n')
    .replace(/\b(an|all|the|this) tenant/gi, '$1 organization')
    .replace(instants, at)
