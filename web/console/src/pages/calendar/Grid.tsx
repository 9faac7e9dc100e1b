import { type PointerEvent, useCallback, useRef, useState, useSyncExternalStore } from 'react'
import { dateOf, formatDate, plural } from '../../core/format'
import { addDays, clockIn, instant, noon } from '../../core/zone'
import { Card } from './Card'
import type { Item, Planned } from './items'
import { useGridKeys } from './useGridKeys'
import type { Move } from './useMove'

type Props = {
  view: 'week' | 'month'
  days: readonly string[]
  items: readonly (Item | Planned)[]
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

type Drag = { item: Item; x: number; y: number; dx: number; dy: number; cell: string | null }

const hourName = (h: number) => `${String(h).padStart(2, '0')}:00`

// Grid is the calendar's cells: an hour of a day or, by month, a day. Posts are dragged
// with any pointer, or moved with Alt and the arrow keys; other keys are useGridKeys'.
export function Grid(props: Props) {
  const { view, days, items, zone, now, day, onMove } = props
  const [drag, setDrag] = useState<Drag | null>(null)
  const dragged = useRef(false)
  const today = dateOf(now, zone)
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
  // timeIn returns the time that an item has in a cell: the cell's day, its hour by
  // week, and the item's minute.
  const timeIn = (cell: string, item: Item) => {
    const [day = '', hour] = cell.split('T')
    return instant(day, hour === undefined ? item.hour : Number(hour), item.minute, zone) + (item.at % 60_000)
  }
  const handlers = (item: Item) =>
    onMove && item.movable
      ? {
          onPointerDown(e: PointerEvent<HTMLElement>) {
            if (e.button !== 0) return
            dragged.current = false
            setDrag({ item, x: e.clientX, y: e.clientY, dx: 0, dy: 0, cell: null })
            e.currentTarget.setPointerCapture(e.pointerId)
          },
          onPointerMove(e: PointerEvent<HTMLElement>) {
            if (!drag) return
            const dx = e.clientX - drag.x
            const dy = e.clientY - drag.y
            if (!dragged.current && Math.hypot(dx, dy) < 6) return
            dragged.current = true
            setDrag({ ...drag, dx, dy, cell: cellAt(e.clientX, e.clientY) })
          },
          onPointerUp() {
            if (drag?.cell && dragged.current) onMove(drag.item, timeIn(drag.cell, drag.item))
            setDrag(null)
          },
          onPointerCancel: () => setDrag(null),
        }
      : {}
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
    if (onMove(item, at)) keys.follow(item.post.id, cellOf(at))
    return true
  }
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
  // says begins a cell's name, which goes on with what the cell shows.
  const says = (name: string, here: readonly (Item | Planned)[]) => {
    const [d = '', h] = name.split('T')
    const posts = here.filter((i) => i.kind === 'post').length
    const parts = [
      formatDate(noon(d), { weekday: 'long', day: 'numeric', month: 'long' }),
      h && hourName(Number(h)),
      posts > 0 && plural(posts, 'post'),
      here.length > posts && `${here.length - posts} planned`,
    ]
    return <span className="hidden">{parts.filter(Boolean).join(', ')}</span>
  }
  const tab = (name: string) => keys.within && name === keys.active
  const card = (i: Item | Planned, short?: boolean) => (
    <Card
      key={i.key}
      item={i}
      zone={zone}
      mission={props.names.get(i.kind === 'post' ? i.post.missionId : i.missionId)}
      short={short}
      tab={narrow || tab(cellOf(i.at))}
      dragging={drag?.item.key === i.key && dragged.current ? { dx: drag.dx, dy: drag.dy } : undefined}
      onOpen={() => i.kind === 'post' && !dragged.current && props.onOpen(i.post.id)}
      onStep={(key) => i.kind === 'post' && step(i, key)}
      handlers={i.kind === 'post' ? handlers(i) : {}}
    />
  )
  const over = dragged.current ? drag?.cell : null
  const heads = days.slice(0, 7).map((d) => (
    <div key={d} role="columnheader" className={`dayhead ${view === 'week' && d === today ? 'today' : ''}`}>
      <span className="xsmall muted">{formatDate(noon(d), { weekday: 'short' })}</span>
      {view === 'week' && <span className="date num">{formatDate(noon(d), { day: 'numeric' })}</span>}
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
              const here = items.filter((i) => i.day === d)
              return (
                <div key={d} {...cell(d)} className={`cell ${d.startsWith(props.month) ? '' : 'other'} ${over === d ? 'over' : ''}`}>
                  {says(d, here)}
                  <button
                    type="button"
                    tabIndex={tab(d) ? 0 : -1}
                    className={`number num ${d === today ? 'today' : ''}`}
                    onClick={() => props.onDay(d)}
                    aria-label={formatDate(noon(d), { weekday: 'long', day: 'numeric', month: 'long' })}
                  >
                    {Number(d.slice(8))}
                  </button>
                  {here.slice(0, 4).map((i) => card(i, true))}
                  {here.length > 4 && (
                    <button type="button" tabIndex={tab(d) ? 0 : -1} className="rest xsmall" onClick={() => props.onDay(d)}>
                      {here.length - 4} more
                    </button>
                  )}
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
          const here = items.filter((i) => i.day === d)
          return (
            <li key={d} className={d === today ? 'today' : ''}>
              <h2 className="small">{formatDate(noon(d), { weekday: 'long', day: 'numeric', month: 'long' })}</h2>
              {here.length > 0 ? here.map((i) => card(i)) : <p className="xsmall muted">Nothing</p>}
            </li>
          )
        })}
      </ol>
    )
  }
  const byHour = Map.groupBy(items, (i) => i.hour)
  return (
    <div className="weeks" role="grid" aria-label="Week" {...keys.grid} ref={weeks}>
      <div role="row" className="hourrow heads">
        <span role="columnheader">
          <span className="hidden">Hour</span>
        </span>
        {heads}
      </div>
      {Array.from({ length: 24 }, (_, h) => {
        const busy = byHour.get(h) ?? []
        return (
          <div key={h} role="row" className={`hourrow ${busy.length === 0 ? 'quiet' : ''}`}>
            <span role="rowheader" className="hour xsmall muted num">
              {hourName(h)}
            </span>
            {days.map((d) => {
              const name = `${d}T${h}`
              const at = instant(d, h, 0, zone)
              const here = busy.filter((i) => i.day === d)
              return (
                <div
                  key={d}
                  {...cell(name)}
                  className={`cell ${d === today ? 'today' : ''} ${over === name ? 'over' : ''} ${at + 3_600_000 < now ? 'past' : ''}`}
                >
                  {says(name, here)}
                  {here.map((i) => card(i))}
                  {props.onWrite && at > now && (
                    <button
                      type="button"
                      className="add"
                      tabIndex={tab(name) ? 0 : -1}
                      aria-label={`Write a post for ${formatDate(noon(d), { weekday: 'long' })}, ${hourName(h)}`}
                      onClick={() => props.onWrite?.(at)}
                    >
                      +
                    </button>
                  )}
                </div>
              )
            })}
          </div>
        )
      })}
    </div>
  )
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
