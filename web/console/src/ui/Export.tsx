import { useEffect, useRef, useState } from 'react'
import { forPeople } from '../core/fault'
import { type Cell, csv, save } from '../core/file'
import { count, plural } from '../core/format'
import { toast } from '../core/toast'
import { Button } from './button'

export type Part = { rows: readonly (readonly Cell[])[]; total: number; next: string | null }

// The most rows of a file: a tab keeps all of them until it is saved.
const most = 20_000

// Export saves a list as a file, a page at a time: it says how far it is, and can be stopped. read
// returns the page after a cursor; one and many are what its rows are called.
export function Export({
  name,
  head,
  read,
  one,
  many,
}: {
  name: string
  head: string[]
  read: (after: string | null) => Promise<Part>
  one: string
  many?: string
}) {
  const [at, setAt] = useState<{ done: number; of: number } | null>(null)
  const stop = useRef(false)
  useEffect(() => () => void (stop.current = true), [])
  const run = async () => {
    const rows: Part['rows'][number][] = []
    stop.current = false
    setAt({ done: 0, of: 0 })
    try {
      let part: Part
      for (let after: string | null = null; ; after = part.next) {
        part = await read(after)
        if (stop.current) return
        rows.push(...part.rows)
        setAt({ done: rows.length, of: Math.min(part.total, most) })
        if (part.next === null || rows.length >= most) break
      }
      save(`${name}.csv`, 'text/csv', csv([head, ...rows]))
      const all = plural(rows.length, one, many)
      toast(part.next === null ? `${all} exported.` : `The first ${all} of ${count(part.total)} exported. Choose fewer with the filters.`)
    } catch (e) {
      toast(forPeople(e).message, { tone: 'bad' })
    } finally {
      if (!stop.current) setAt(null)
    }
  }
  if (!at)
    return (
      <Button icon="save" onClick={() => void run()}>
        Export CSV
      </Button>
    )
  return (
    <span className="row" role="status">
      <progress aria-label="Exported" max={at.of || 1} value={at.done} />
      <span className="small muted num">
        {at.done} of {plural(at.of, one, many)}
      </span>
      <Button
        onClick={() => {
          stop.current = true
          setAt(null)
        }}
      >
        Stop
      </Button>
    </span>
  )
}
