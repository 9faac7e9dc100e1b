import './calendar.css'
import { useMemo } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay'
import type { CalendarQuery } from '../../__generated__/CalendarQuery.graphql'
import { useNow } from '../../core/clock'
import { composer } from '../../core/composer'
import { useFilters } from '../../core/filters'
import { dateOf, formatDate, ownZone } from '../../core/format'
import { useKeys } from '../../core/keys'
import { useFresh, useRefresh } from '../../core/live'
import { peek } from '../../core/peek'
import { useMay } from '../../core/session'
import { addDays, addMonths, monthOf, noon, weekOf } from '../../core/zone'
import { Button, IconButton } from '../../ui/button'
import { Segmented, useZoneOptions } from '../../ui/field'
import { PageHead } from '../../ui/parts'
import { platformName, platformOf } from '../../ui/platform'
import { contentStatuses } from '../../ui/status'
import { WriteButton } from '../../ui/write'
import { Grid } from './Grid'
import { itemsIn } from './items'
import { useMove } from './useMove'

const query = graphql`
  query CalendarQuery($from: Date!, $to: Date!, $zone: TimeZone!, $mission: ID, $platform: Platform, $statuses: [ContentStatus!]) {
    calendar(from: $from, to: $to, timeZone: $zone, missionId: $mission, platform: $platform, statuses: $statuses) {
      plannedTruncated
      days {
        date
        hasMore
        counts {
          status
          count
          capped
        }
        posts {
          id
          status
          ...items_content
        }
        planned {
          missionId
          at
          platform
          accountHandle
        }
      }
    }
    missions(first: 100) {
      edges {
        node {
          id
          name
          status
          platforms
        }
      }
    }
  }
`

// Calendar is when posts go out: by week, hour by hour, or by month.
export default function Calendar() {
  const { params: search, shown, set } = useFilters('/calendar')
  const now = useNow()
  const zone = zoneIn(search.get('zone')) ?? ownZone()
  const view = search.get('view') === 'month' ? 'month' : 'week'
  const today = dateOf(now, zone)
  const day = dayIn(search.get('day')) ?? today
  const mission = search.get('mission')
  const platform = platformOf(search.get('platform'))
  const status = contentStatuses.find(([s]) => s === search.get('status'))?.[0] ?? null
  const days = useMemo(() => (view === 'month' ? monthOf(day) : Array.from({ length: 7 }, (_, i) => addDays(weekOf(day), i))), [view, day])
  const [fetchKey, refresh] = useFresh(['MISSIONS'])
  const mayWrite = useMay('CONTENT_WRITE')
  const data = useLazyLoadQuery<CalendarQuery>(
    query,
    { from: days[0]!, to: days.at(-1)!, zone, mission, platform, statuses: status && [status] },
    { fetchPolicy: 'store-and-network', fetchKey },
  )
  useRefresh(['CONTENT_', 'MISSION_', 'PIPELINE_STAGE_COMPLETED'], refresh)
  const known = useMemo(() => itemsIn(zone), [zone])
  const items = useMemo(() => known(data.calendar?.days ?? []), [known, data.calendar])
  const beyond = new Map(data.calendar?.days.filter((d) => d.hasMore).map((d) => [d.date, restOf(d)]))
  const move = useMove(zone)
  const zones = useZoneOptions(zone)
  const turn = (n: number) => {
    const from = dayIn(shown.get('day')) ?? today
    set({ day: view === 'month' ? addMonths(from, n) : addDays(from, 7 * n) })
  }
  useKeys([
    { keys: 't', label: 'Today', run: () => set({ day: null }) },
    { keys: '[', label: view === 'month' ? 'Previous month' : 'Previous week', run: () => turn(-1) },
    { keys: ']', label: view === 'month' ? 'Next month' : 'Next week', run: () => turn(1) },
    { keys: 'Arrows', label: view === 'month' ? 'Next day' : 'Next day or hour', run: () => {} },
    { keys: 'Alt+Arrows', label: 'Move the post', run: () => {}, off: !mayWrite },
    { keys: 'v', label: view === 'month' ? 'Show a week' : 'Show a month', run: () => set({ view: view === 'month' ? null : 'month' }) },
  ])
  const missions = data.missions?.edges.map((e) => e.node) ?? []
  const names = new Map(missions.map((m) => [m.id, m.name]))
  const title = view === 'month' ? formatDate(noon(day), { month: 'long', year: 'numeric' }) : range(days[0]!, days.at(-1)!)
  return (
    <div className="page calendar">
      <PageHead
        title={title}
        actions={
          <>
            <Button onClick={() => set({ day: null })}>Today</Button>
            <span className="row turn">
              <IconButton icon="left" label={view === 'month' ? 'Previous month' : 'Previous week'} onClick={() => turn(-1)} />
              <IconButton icon="right" label={view === 'month' ? 'Next month' : 'Next week'} onClick={() => turn(1)} />
            </span>
            <Segmented
              label="View"
              value={shown.get('view') === 'month' ? 'month' : 'week'}
              options={[
                { value: 'week', label: 'Week' },
                { value: 'month', label: 'Month' },
              ]}
              onChange={(v) => set({ view: v === 'week' ? null : v })}
            />
            <WriteButton zone={zone} mission={mission} />
          </>
        }
      />
      <div className="row wrap filters">
        <select
          className="input short"
          aria-label="Mission"
          value={shown.get('mission') ?? ''}
          onChange={(e) => set({ mission: e.target.value || null })}
        >
          <option value="">All missions</option>
          {missions.map((m) => (
            <option key={m.id} value={m.id}>
              {m.name}
            </option>
          ))}
        </select>
        <select
          className="input short"
          aria-label="Platform"
          value={shown.get('platform') ?? ''}
          onChange={(e) => set({ platform: e.target.value || null })}
        >
          <option value="">All platforms</option>
          {[...new Set(missions.flatMap((m) => m.platforms))].map((p) => (
            <option key={p} value={p}>
              {platformName(p)}
            </option>
          ))}
        </select>
        <select
          className="input short"
          aria-label="State"
          value={shown.get('status') ?? ''}
          onChange={(e) => set({ status: e.target.value || null })}
        >
          <option value="">All states</option>
          {contentStatuses.map(([value, word]) => (
            <option key={value} value={value}>
              {word}
            </option>
          ))}
        </select>
        <select
          className="input short"
          aria-label="Time zone"
          value={shown.get('zone') ?? zone}
          onChange={(e) => (localStorage.setItem('zone', e.target.value), set({ zone: e.target.value }))}
          {...zones}
        />
        <span className="grow" />
        <span className="xsmall muted legend-line">
          <span className="dot planned" /> planned, not written yet
        </span>
      </div>
      <Grid
        view={view}
        days={days}
        items={items}
        beyond={beyond}
        names={names}
        zone={zone}
        now={now}
        month={day.slice(0, 7)}
        onOpen={(id) => peek.set({ id, ids: items.flatMap((i) => (i.kind === 'post' ? i.post.id : [])), zone })}
        onMove={mayWrite ? move : undefined}
        onWrite={mayWrite ? (at) => composer.open({ at, zone, mission }) : undefined}
        onDay={(d) => set({ day: d, view: null })}
        day={day}
        onShow={(d) => set({ day: d })}
      />
      {beyond.size > 0 && (
        <p className="small muted">Only a day’s first 20 posts are shown. Choose a mission, a platform or a state to see others.</p>
      )}
      {data.calendar?.plannedTruncated && <p className="small muted">Not all planned slots are shown. Choose a mission to see the rest.</p>}
    </div>
  )
}

type Day = NonNullable<CalendarQuery['response']['calendar']>['days'][number]

// restOf returns how many more posts a day has than those that are known.
const restOf = ({ counts, posts }: Day) => ({
  count: counts.reduce((n, c) => n + c.count, -posts.length),
  capped: counts.some((c) => c.capped),
})

// dayIn returns a day of an address; null if it is none.
const dayIn = (text: string | null) => (text && /^(19[7-9]|2\d\d)\d-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : null)

// zoneIn returns a zone of an address; null if the browser doesn't know it.
function zoneIn(zone: string | null) {
  try {
    return zone && new Intl.DateTimeFormat('en', { timeZone: zone }) && zone
  } catch {
    return null
  }
}

// range returns "23 – 29 November 2026".
function range(from: string, to: string) {
  return new Intl.DateTimeFormat(navigator.language, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
    calendar: 'gregory',
  }).formatRange(new Date(noon(from)), new Date(noon(to)))
}
