import { useCallback, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { dateOf, formatDate, plural } from '../../core/format'
import { addDays, clockIn, instant, noon } from '../../core/zone'
import { type Acts, Card, Slots } from './Card'
import { type Item, type Planned, partOf } from './items'
import { Row } from './Row'
import { useGridKeys } from './useGridKeys'
import type { Move } from './useMove'

type Props = {
  view: 'week' | 'month'
  days: readonly string[]
  items: readonly (Item | Planned)[]
  // beyond is how many more posts there are on days of which only the first ones are in items.
  beyond: ReadonlyMap<string, Beyond>
  names: ReadonlyMap<string, string>
  zone: string
  now: number
  month: string
  day: string
  onOpen: (id: string) => void
  onMove?: Move
  onWrite?: (at: number) => void
  onDay: (day: string) => void
  // onShow turns to the page that has a day.
  onShow: (day: string) => void
}

type Beyond = { count: number; capped: boolean }

type Drag = { item: Item; x: number; y: number; dx: number; dy: number; cell: string | null }

// How many posts of a cell are shown until a person asks for the rest.
const most = { month: 4, week: 4, agenda: 8 }

const none: Beyond = { count: 0, capped: false }
const moreOf = ({ count, capped }: Beyond) => `${count}${capped ? '+' : ''} more`

const hourName = (h: number) => `${String(h).padStart(2, '0')}:00`

// Grid is the calendar's cells: an hour of a day or, by month, a day. Posts are dragged
// with any pointer, or moved with Alt and the arrow keys; other keys are useGridKeys'.
export function Grid(props: Props) {
  const { view, days, items, zone, now, day, onMove } = props
  const [drag, setDrag] = useState<Drag | null>(null)
  const dragged = useRef(false)
  const today = dateOf(now, zone)
  const { hours, early } = useMemo(() => weekOf(view === 'week' ? days : [], items, zone), [view, days, items, zone])
  const hour = day === today ? clockIn(now, zone).hour : (items.find((i) => i.day === day)?.hour ?? 9)
  const keys = useGridKeys({
    days,
    first: view === 'month' ? day : `${day}T${hour}`,
    onShow: props.onShow,
    onEnter(cell) {
      const [d = '', h] = cell.split('T')
      const at = instant(d, Number(h), 0, zone)
      if (h === undefined) props.onDay(d)
      else if (at > now) props.onWrite?.(at)
    },
  })
  const weeks = useCallback((e: HTMLDivElement | null) => {
    keys.grid.ref.current = e
    toFirst(e)
  }, [])
  // The cells whose posts are all shown.
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const reveal = (cell: string) => setOpened((o) => new Set(o).add(cell))
  // timeIn returns the time that an item has in a cell: the cell's day, its hour by
  // week, and the item's minute.
  const timeIn = (cell: string, item: Item) => {
    const [day = '', hour] = cell.split('T')
    return instant(day, hour === undefined ? item.hour : Number(hour), item.minute, zone) + (item.at % 60_000)
  }
  const step = (item: Item, key: string) => {
    const by = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: view === 'month' ? [-7, 0] : [0, -1],
      ArrowDown: view === 'month' ? [7, 0] : [0, 1],
    }[key]
    if (!by || !onMove || !item.movable) return false
    // An hour is one also where clocks are changed, when the next to be seen is another.
    const at = by[1] ? item.at + by[1] * 3_600_000 : instant(addDays(item.day, by[0]!), item.hour, item.minute, zone) + (item.at % 60_000)
    if (onMove(item, at)) {
      reveal(cellOf(at))
      keys.follow(item.post.id, cellOf(at))
    }
    return true
  }
  const acts = useStable<Acts>({
    open: (item) => !dragged.current && props.onOpen(item.post.id),
    step,
    grab(item, e) {
      if (e.button !== 0) return
      dragged.current = false
      setDrag({ item, x: e.clientX, y: e.clientY, dx: 0, dy: 0, cell: null })
      e.currentTarget.setPointerCapture(e.pointerId)
    },
    drag(e) {
      if (!drag) return
      const dx = e.clientX - drag.x
      const dy = e.clientY - drag.y
      if (!dragged.current && Math.hypot(dx, dy) < 6) return
      dragged.current = true
      setDrag({ ...drag, dx, dy, cell: cellAt(e.clientX, e.clientY) })
    },
    drop() {
      if (drag?.cell && dragged.current) onMove?.(drag.item, timeIn(drag.cell, drag.item))
      setDrag(null)
    },
    leave: () => setDrag(null),
  })
  const narrow = useNarrow() && view === 'week'
  const cellOf = (at: number) => (view === 'month' ? dateOf(at, zone) : `${dateOf(at, zone)}T${clockIn(at, zone).hour}`)
  // cell returns what a cell's element has: its key, and where Tab leads.
  const cell = (name: string) => {
    const [d, h] = name.split('T')
    return {
      role: 'gridcell',
      'data-cell': name,
      tabIndex: name === keys.active ? 0 : -1,
      'aria-current': (h === undefined || Number(h) === clockIn(now, zone).hour) && d === today ? ('date' as const) : undefined,
    }
  }
  // saidOf is the beginning of a cell's name, which goes on with what the cell shows.
  const saidOf = (name: string, posts: number, planned: number) => {
    const [d = '', h] = name.split('T')
    const parts = [
      formatDate(noon(d), { weekday: 'long', day: 'numeric', month: 'long' }),
      h && hourName(Number(h)),
      posts > 0 && plural(posts, 'post'),
      planned > 0 && `${planned} planned`,
    ]
    return parts.filter(Boolean).join(', ')
  }
  const tab = (name: string) => keys.within && name === keys.active
  // beyond is how many posts a day has that aren't known here.
  const beyond = (d: string) => props.beyond.get(d) ?? none
  // shown returns what a cell shows: posts up to a number, and a box for what is planned.
  const shown = (name: string, { posts, planned }: Parts, limit: number, onMore = () => reveal(name), rest = none) => {
    const first = posts.length + rest.count <= limit || opened.has(name) ? posts : posts.slice(0, limit - 1)
    const hidden = posts.length - first.length + rest.count
    return (
      <>
        {first.map((i) => (
          <Card
            key={i.key}
            item={i}
            zone={zone}
            mission={props.names.get(i.post.missionId)}
            short={view === 'month'}
            tab={narrow || tab(name)}
            movable={i.movable && !!onMove}
            {...(drag?.item.key === i.key && dragged.current && { dx: drag.dx, dy: drag.dy })}
            acts={acts}
          />
        ))}
        {hidden > 0 && (
          <button type="button" tabIndex={narrow || tab(name) ? 0 : -1} className="rest xsmall" onClick={onMore}>
            {moreOf({ ...rest, count: hidden })}
          </button>
        )}
        <Slots slots={planned} zone={zone} names={props.names} short={view === 'month'} />
      </>
    )
  }
  const byDay = Map.groupBy(items, (i) => i.day)
  // A cell that has passed doesn't take the post.
  const over = dragged.current && drag?.cell && timeIn(drag.cell, drag.item) > now ? drag.cell : null
  const heads = days.slice(0, 7).map((d) => (
    <div key={d} role="columnheader" className={`dayhead ${view === 'week' && d === today ? 'today' : ''}`}>
      <span className="xsmall muted">{formatDate(noon(d), { weekday: 'short' })}</span>
      {view === 'week' && <span className="date num">{formatDate(noon(d), { day: 'numeric' })}</span>}
      {view === 'week' && props.beyond.has(d) && <span className="xsmall muted">{moreOf(beyond(d))}</span>}
    </div>
  ))
  if (view === 'month') {
    return (
      <div className="months" role="grid" aria-label="Month" {...keys.grid}>
        <div role="row" className="weekrow heads">
          {heads}
        </div>
        {[0, 1, 2, 3, 4, 5].map((w) => (
          <div key={w} role="row" className="weekrow">
            {days.slice(w * 7, w * 7 + 7).map((d) => {
              const here = partOf(byDay.get(d))
              return (
                <div key={d} {...cell(d)} className={`cell ${d.startsWith(props.month) ? '' : 'other'} ${over === d ? 'over' : ''}`}>
                  <button
                    type="button"
                    tabIndex={tab(d) ? 0 : -1}
                    className={`number num ${d === today ? 'today' : ''}`}
                    onClick={() => props.onDay(d)}
                    aria-label={saidOf(d, here.posts.length + beyond(d).count, here.planned.length)}
                  >
                    {Number(d.slice(8))}
                  </button>
                  {shown(d, here, most.month, () => props.onDay(d), beyond(d))}
                </div>
              )
            })}
          </div>
        ))}
      </div>
    )
  }
  if (narrow) {
    return (
      <ol className="agenda">
        {days.map((d) => {
          const here = partOf(byDay.get(d))
          return (
            <li key={d} className={d === today ? 'today' : ''}>
              <h2 className="small">{formatDate(noon(d), { weekday: 'long', day: 'numeric', month: 'long' })}</h2>
              {byDay.has(d) ? shown(d, here, most.agenda) : <p className="xsmall muted">Nothing</p>}
              {props.beyond.has(d) && <p className="xsmall muted">and {moreOf(beyond(d))}</p>}
            </li>
          )
        })}
      </ol>
    )
  }
  return (
    <div className="weeks" role="grid" aria-label="Week" {...keys.grid} ref={weeks}>
      <div role="row" className="hourrow heads">
        <span role="columnheader">
          <span className="hidden">Hour</span>
        </span>
        {heads}
      </div>
      {hours.map(({ rem, cells }, h) => (
        <Row
          key={h}
          quiet={rem === 0}
          rem={rem}
          first={h >= early && h < early + 6}
          kept={keys.active.endsWith(`T${h}`) || drag?.item.hour === h}
        >
          {(drawn) => (
            <>
              <span role="rowheader" className="hour xsmall muted num">
                {hourName(h)}
              </span>
              {cells.map(({ name, day, at, here }) => {
                const full = drawn && here.posts.length + here.planned.length > 0
                const free = props.onWrite && at > now
                const said = saidOf(name, here.posts.length, here.planned.length)
                return (
                  <div
                    key={day}
                    {...cell(name)}
                    className={`cell ${day === today ? 'today' : ''} ${over === name ? 'over' : ''} ${free ? 'free' : ''} ${at + 3_600_000 < now ? 'past' : ''}`}
                    aria-label={full ? undefined : said}
                    onClick={(e) => free && e.target === e.currentTarget && props.onWrite?.(at)}
                  >
                    {full && <span className="hidden">{said}</span>}
                    {full && shown(name, here, most.week)}
                    {free && name === keys.active && (
                      <button
                        type="button"
                        className="add"
                        tabIndex={tab(name) ? 0 : -1}
                        aria-label={`Write a post for ${formatDate(noon(day), { weekday: 'long' })}, ${hourName(h)}`}
                        onClick={() => props.onWrite?.(at)}
                      />
                    )}
                  </div>
                )
              })}
            </>
          )}
        </Row>
      ))}
    </div>
  )
}

type Parts = ReturnType<typeof partOf>

// weekOf returns the cells of a week by hour, about how high each hour is, 0 without posts, and
// the first hour that has some.
function weekOf(days: readonly string[], items: readonly (Item | Planned)[], zone: string) {
  const byCell = Map.groupBy(items, (i) => `${i.day}T${i.hour}`)
  const hours = Array.from({ length: 24 }, (_, h) => {
    const cells = days.map((day) => {
      const name = `${day}T${h}`
      return { name, day, at: instant(day, h, 0, zone), here: partOf(byCell.get(name)) }
    })
    const rem = Math.max(0, ...cells.map(({ here }) => 4 * Math.min(here.posts.length, most.week) + (here.planned.length > 0 ? 2 : 0)))
    return { rem, cells }
  })
  return {
    hours,
    early: Math.max(
      0,
      hours.findIndex((h) => h.rem > 0),
    ),
  }
}

// useStable returns functions that stay the same, and do what those of the last render do.
function useStable<T extends Record<string, (...args: never[]) => unknown>>(latest: T): T {
  const ref = useRef(latest)
  useLayoutEffect(() => {
    ref.current = latest
  })
  return useMemo(() => Object.fromEntries(Object.keys(latest).map((k) => [k, (...args: never[]) => ref.current[k]!(...args)])) as T, [])
}

// toFirst scrolls the week to its first hour with a post.
function toFirst(week: HTMLElement | null) {
  const row = week?.querySelector<HTMLElement>('.hourrow:not(.heads, .quiet)')
  if (week && row) week.scrollTop = row.offsetTop - 56
}

// useNarrow reports whether the window is too narrow for seven columns.
const narrowQuery = matchMedia('(max-width: 47.99rem)')
const useNarrow = () =>
  useSyncExternalStore(
    (fn) => {
      narrowQuery.addEventListener('change', fn)
      return () => narrowQuery.removeEventListener('change', fn)
    },
    () => narrowQuery.matches,
  )

// cellAt returns the cell under a point of the window.
function cellAt(x: number, y: number) {
  return (
    document
      .elementsFromPoint(x, y)
      .map((e) => (e as HTMLElement).dataset?.cell)
      .find(Boolean) ?? null
  )
}
