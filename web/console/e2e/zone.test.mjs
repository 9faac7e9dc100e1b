import assert from 'node:assert/strict'
import test from 'node:test'
import { build } from 'vite'

// The calendar's days and hours are TypeScript: Vite makes a module of them in memory.
globalThis.navigator ??= { language: 'en' }
const built = await build({
  configFile: false,
  logLevel: 'silent',
  build: { write: false, minify: false, lib: { entry: new URL('../src/core/zone.ts', import.meta.url).pathname, formats: ['es'] } },
})
const { instant, clockIn } = await import(`data:text/javascript,${encodeURIComponent(built[0].output[0].code)}`)

const iso = (t) => new Date(t).toISOString().slice(0, 16)

test('a local time is the service’s slot where clocks are changed', () => {
  for (const [day, time, zone, want] of [
    ['2027-03-14', '01:59', 'America/New_York', '2027-03-14T06:59'],
    ['2027-03-14', '02:00', 'America/New_York', '2027-03-14T07:00'],
    ['2027-03-14', '02:30', 'America/New_York', '2027-03-14T07:30'],
    ['2027-03-14', '03:00', 'America/New_York', '2027-03-14T07:00'],
    ['2027-11-07', '01:30', 'America/New_York', '2027-11-07T05:30'],
    ['2027-03-14', '00:30', 'America/Havana', '2027-03-14T05:30'],
    ['2027-03-14', '00:00', 'America/Havana', '2027-03-14T05:00'],
    ['2027-11-07', '00:30', 'America/Havana', '2027-11-07T04:30'],
    ['2027-03-14', '02:00', 'America/Los_Angeles', '2027-03-14T10:00'],
    ['2027-11-07', '01:00', 'America/Los_Angeles', '2027-11-07T08:00'],
    ['2027-03-28', '02:30', 'Europe/Berlin', '2027-03-28T01:30'],
    ['2027-10-31', '02:30', 'Europe/Berlin', '2027-10-31T00:30'],
    ['2027-10-31', '03:00', 'Europe/Berlin', '2027-10-31T02:00'],
    ['2027-10-03', '02:15', 'Australia/Lord_Howe', '2027-10-02T15:45'],
    ['2027-04-04', '01:45', 'Australia/Lord_Howe', '2027-04-03T14:45'],
    ['2011-12-30', '10:00', 'Pacific/Apia', '2011-12-30T20:00'],
    ['2011-12-31', '10:00', 'Pacific/Apia', '2011-12-30T20:00'],
    ['2026-02-15', '02:30', 'Africa/Casablanca', '2026-02-15T01:30'],
    ['2026-03-22', '02:30', 'Africa/Casablanca', '2026-03-22T02:30'],
    ['2027-03-28', '02:00', 'Antarctica/Troll', '2027-03-28T02:00'],
    ['2027-10-31', '01:30', 'Antarctica/Troll', '2027-10-30T23:30'],
    ['2027-03-27', '22:59', 'America/Nuuk', '2027-03-28T00:59'],
    ['2027-03-27', '23:00', 'America/Nuuk', '2027-03-28T00:59'],
    ['2027-03-27', '23:30', 'America/Nuuk', '2027-03-28T00:59'],
    ['2027-03-28', '00:00', 'America/Nuuk', '2027-03-28T01:00'],
  ]) {
    const [h, m] = time.split(':').map(Number)
    assert.equal(iso(instant(day, h, m, zone)), want, `${day} ${time} ${zone}`)
  }
})

// rule returns the time by trying all of them: the first at which the zone's clocks show it, or
// else as long after what they show last before it as if they hadn't been put forward. It
// never leaves a day for the next.
function rule(day, hour, minute, zone) {
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
  const wall = Date.parse(`${day}T00:00Z`) + (hour * 60 + minute) * 60_000
  const shows = (t) => Date.parse(`${clock.format(t).replace(' ', 'T')}Z`)
  for (let t = wall - 15 * 3_600_000; t <= wall + 13 * 3_600_000; t += 900_000) {
    if (shows(t) === wall) return t
    if (shows(t) > wall) {
      const moved = t - 900_000 + wall - shows(t - 900_000)
      const on = (at) => clock.format(at).slice(0, 10) === day
      return on(moved) || !on(t - 60_000) ? moved : t - 60_000
    }
  }
  throw new Error('no time')
}

test('every quarter of an hour around a change follows the rule', () => {
  for (const [zone, ...days] of [
    ['America/New_York', '2027-03-14', '2027-11-07'],
    ['America/Havana', '2027-03-13', '2027-03-14', '2027-11-06', '2027-11-07'],
    ['America/St_Johns', '2027-03-14', '2027-11-07'],
    ['Europe/Berlin', '2027-03-28', '2027-10-31'],
    ['Europe/London', '2027-03-28', '2027-10-31'],
    ['Atlantic/Azores', '2027-03-27', '2027-03-28', '2027-10-31'],
    ['Africa/Cairo', '2027-04-29', '2027-04-30', '2027-10-28', '2027-10-29'],
    ['Asia/Beirut', '2027-03-28', '2027-10-31'],
    ['Asia/Kathmandu', '2027-03-28'],
    ['Australia/Lord_Howe', '2027-04-04', '2027-10-03'],
    ['Pacific/Chatham', '2027-04-04', '2027-09-26'],
    ['Pacific/Apia', '2011-12-29', '2011-12-30', '2011-12-31'],
    ['Pacific/Kiritimati', '2027-01-01'],
    ['Antarctica/Troll', '2027-03-28', '2027-10-31'],
    ['America/Nuuk', '2027-03-27', '2027-03-28', '2027-10-30', '2027-10-31'],
    ['America/Scoresbysund', '2027-03-27', '2027-03-28', '2027-10-30'],
    ['America/Santiago', '2027-04-03', '2027-04-04', '2027-09-04', '2027-09-05'],
  ]) {
    for (const day of days) {
      for (let q = 0; q < 96; q++)
        assert.equal(iso(instant(day, q >> 2, (q % 4) * 15, zone)), iso(rule(day, q >> 2, (q % 4) * 15, zone)), `${day} ${q / 4} h ${zone}`)
    }
  }
})

test('a zone that the browser doesn’t know breaks nothing', () => {
  assert.ok(Number.isFinite(instant('2027-03-14', 2, 30, 'Moon/Tycho')))
  assert.ok(Number.isFinite(clockIn(Date.UTC(2027, 2, 14), 'Moon/Tycho').hour))
})
