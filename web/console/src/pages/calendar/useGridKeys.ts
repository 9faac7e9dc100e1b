import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { addDays, sameDayOf } from '../../core/zone'

// A cell is named by its day, or by its day and hour: "2026-11-24T14".
type Place = { day: string; hour?: number }

const placeOf = (cell: string): Place => {
  const [day = '', hour] = cell.split('T')
  return hour === undefined ? { day } : { day, hour: Number(hour) }
}

const nameOf = ({ day, hour }: Place) => (hour === undefined ? day : `${day}T${hour}`)

type Props = {
  days: readonly string[]
  // first is the cell that has the grid's tab stop before a person has been anywhere.
  first: string
  onShow: (day: string) => void
  // onEnter opens a cell that has no posts.
  onEnter: (cell: string) => void
}

// useGridKeys makes the calendar a grid of the ARIA pattern, with one tab stop: the cell
// where the person was last. Arrow keys lead to the next day and, by week, hour; beyond the
// edge, and with Page Up and Page Down, to the next page; Home and End to the row's ends.
// Enter opens a cell's only post; Enter and, while the focus is in a cell, Tab lead to its
// posts, and Escape back. A cell or post that is drawn anew, elsewhere or on another page,
// keeps the focus.
export function useGridKeys({ days, first, onShow, onEnter }: Props) {
  const grid = useRef<HTMLDivElement>(null)
  const [cell, setCell] = useState(first)
  const [within, setWithin] = useState(false)
  const active = days.includes(placeOf(cell).day) && cell.includes('T') === first.includes('T') ? cell : first
  // Where the focus belongs, if what had it is gone.
  const lost = useRef<{ cell: string; post?: string } | null>(null)
  useEffect(() => {
    const elsewhere = () => {
      lost.current = null
    }
    addEventListener('pointerdown', elsewhere, true)
    return () => removeEventListener('pointerdown', elsewhere, true)
  }, [])
  useEffect(() => {
    if (!lost.current || !document.hasFocus() || (document.activeElement && document.activeElement !== document.body)) return
    const { post, cell } = lost.current
    const found = post && grid.current?.querySelector<HTMLElement>(`[data-post="${post}"]`)
    ;(found || elementOf(cell))?.focus()
  })
  const elementOf = (name: string) => grid.current?.querySelector<HTMLElement>(`[data-cell="${name}"]`)
  const go = (to: Place) => {
    const name = nameOf(to)
    setCell(name)
    if (days.includes(to.day)) return elementOf(name)?.focus()
    lost.current = { cell: name }
    onShow(to.day)
  }
  const move = (e: KeyboardEvent<HTMLElement>, at: Place, row: number): Place | null => {
    const week = at.hour !== undefined
    const start = days.indexOf(at.day) - row
    switch (e.key) {
      case 'ArrowLeft':
        return { ...at, day: addDays(at.day, -1) }
      case 'ArrowRight':
        return { ...at, day: addDays(at.day, 1) }
      case 'ArrowUp':
        return week ? { ...at, hour: Math.max(0, at.hour! - 1) } : { day: addDays(at.day, -7) }
      case 'ArrowDown':
        return week ? { ...at, hour: Math.min(23, at.hour! + 1) } : { day: addDays(at.day, 7) }
      case 'Home':
        return e.ctrlKey ? { day: days[0]!, ...(week && { hour: 0 }) } : { ...at, day: days[start]! }
      case 'End':
        return e.ctrlKey ? { day: days.at(-1)!, ...(week && { hour: 23 }) } : { ...at, day: days[start + 6]! }
      case 'PageUp':
        return { ...at, day: week ? addDays(at.day, -7) : sameDayOf(at.day, -1) }
      case 'PageDown':
        return { ...at, day: week ? addDays(at.day, 7) : sameDayOf(at.day, 1) }
      default:
        return null
    }
  }
  return {
    active,
    within,
    // follow has the focus go with a post, wherever it is drawn next.
    follow(post: string, to: string) {
      lost.current = { cell: to, post }
      setCell(to)
      if (!days.includes(placeOf(to).day)) onShow(placeOf(to).day)
    },
    grid: {
      ref: grid,
      onFocus(e: FocusEvent<HTMLElement>) {
        const here = (e.target as HTMLElement).closest<HTMLElement>('[data-cell]')?.dataset.cell
        if (!here) return
        setCell(here)
        setWithin(true)
        lost.current = { cell: here, post: (e.target as HTMLElement).dataset.post }
      },
      onBlur(e: FocusEvent<HTMLElement>) {
        if (!e.relatedTarget || e.currentTarget.contains(e.relatedTarget)) return
        setWithin(false)
        lost.current = null
      },
      onKeyDown(e: KeyboardEvent<HTMLElement>) {
        const target = e.target as HTMLElement
        const here = target.closest<HTMLElement>('[data-cell]')
        if (!here || e.altKey || e.metaKey || e.defaultPrevented) return
        const name = here.dataset.cell!
        const inside = [...here.querySelectorAll<HTMLElement>('button')]
        const nth = inside.indexOf(target)
        const posts = inside.filter((b) => b.dataset.post)
        const beside = nth >= 0 && posts[posts.indexOf(target) + ({ ArrowDown: 1, ArrowUp: -1 }[e.key] ?? 0)]
        if (target === here && e.key === 'Enter') {
          if (posts.length === 0) onEnter(name)
          else if (posts.length === 1) posts[0]!.click()
          else posts[0]!.focus()
        } else if (nth >= 0 && e.key === 'Escape') {
          here.focus()
        } else if (beside && beside !== target) {
          beside.focus()
        } else {
          const to = move(e, placeOf(name), days.indexOf(placeOf(name).day) % 7)
          if (!to) return
          go(to)
        }
        e.preventDefault()
      },
    },
  }
}
