import './chart.css'
import { scaleLinear } from 'd3-scale'
import { area, curveMonotoneX, line } from 'd3-shape'
import { useEffect, useId, useRef, useState } from 'react'
import { dayShort } from '../core/format'
import { Legend } from './Legend'

export type Point = { at: string; value: number }

type Props = {
  title: string
  points: readonly Point[]
  format: (value: number) => string
  // target is drawn as a line; needed is the course that reaches it, whose days the table has.
  target?: number
  needed?: readonly Point[]
  // from and until are where the axis begins and ends; without them the first and last point.
  from?: string
  until?: string
  // daily is that the points are days of a count that moves little: a day that is missing is a gap, and the axis begins near the
  // lowest.
  daily?: boolean
  height?: number
  zone?: string
}

const margin = { top: 12, right: 12, bottom: 22, left: 46 }

// without returns points in runs, between which days are missing.
function without(points: readonly Point[]) {
  const runs: Point[][] = []
  points.forEach((p, i) => {
    const before = points[i - 1]
    if (!before || Date.parse(p.at) - Date.parse(before.at) > 1.5 * 86_400_000) runs.push([])
    runs.at(-1)!.push(p)
  })
  return runs
}

// LineChart draws a figure's course. Load it lazily: d3 comes with it. Arrow keys walk along it, and a table has the same
// numbers.
export default function LineChart({
  title,
  points,
  format,
  target,
  needed = [],
  from = needed[0]?.at,
  until = needed.at(-1)?.at,
  daily,
  height = 180,
  zone,
}: Props) {
  const [at, setAt] = useState<number | null>(null)
  const [width, setWidth] = useState(560)
  const [open, setOpen] = useState(false)
  const figureOf = useRef<HTMLElement>(null)
  useEffect(() => {
    const box = figureOf.current
    if (!box) return
    const observer = new ResizeObserver(() => setWidth(Math.max(box.clientWidth, 240)))
    observer.observe(box)
    return () => observer.disconnect()
  }, [])
  const id = useId()
  const times = points.map((p) => Date.parse(p.at))
  const end = until ? Date.parse(until) : (times.at(-1) ?? 0)
  const start = from ? Date.parse(from) : (times[0] ?? 0)
  const x = scaleLinear([start, Math.max(end, start + 1)], [margin.left, width - margin.right])
  const top = Math.max(...points.map((p) => p.value), target ?? 0, 1e-9)
  const lowest = daily ? Math.min(...points.map((p) => p.value)) : 0
  const room = (top - lowest) * 0.08 || top * 0.04
  const y = scaleLinear(
    [daily ? Math.max(0, lowest - room) : 0, daily ? top + room : top * 1.08],
    [height - margin.bottom, margin.top],
  ).nice(4)
  const of = (p: Point) => [x(Date.parse(p.at)), y(p.value)] as [number, number]
  const runs = daily ? without(points) : [points]
  const drawn = (shape: (run: Point[]) => string | null) => runs.map((run) => shape(run as Point[]) ?? '').join('')
  const path = drawn(
    line<Point>(
      (p) => of(p)[0],
      (p) => of(p)[1],
    ).curve(curveMonotoneX),
  )
  const under = drawn(
    area<Point>(
      (p) => of(p)[0],
      y.range()[0]!,
      (p) => of(p)[1],
    ).curve(curveMonotoneX),
  )
  const last = points.at(-1)
  const values = new Map(points.map((p) => [p.at, p.value]))
  const rows: { at: string; value?: number; needed?: number }[] =
    needed.length > 0 ? needed.map((n) => ({ at: n.at, value: values.get(n.at), needed: n.value })) : [...points]
  // The axis names every so many days, counted from the last.
  const dayMs = 86_400_000
  const from0 = Math.ceil(x.domain()[0]! / dayMs) * dayMs
  const count = Math.floor((x.domain()[1]! - from0) / dayMs)
  const every = Math.max(1, Math.ceil(count / Math.max(2, Math.floor(width / 90))))
  const days = Array.from(
    { length: Math.floor(Math.max(count, 0) / every) + 1 },
    (_, i) => new Date(from0 + (count - i * every) * dayMs),
  ).filter((d) => +d >= x.domain()[0]!)
  const legend = [
    ['line', title] as const,
    ...(target === undefined ? [] : [['target', `Target: ${format(target)}`] as const]),
    ...(needed.length > 1 ? [['needed', 'Needed by each day'] as const] : []),
  ]
  const shown = at === null ? last : points[at]
  const move = (to: number) => setAt(Math.min(Math.max(to, 0), points.length - 1))
  return (
    <figure className="chart" ref={figureOf}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        height={height}
        role="img"
        tabIndex={0}
        aria-labelledby={`${id}t ${id}d`}
        onKeyDown={(e) => {
          const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key]
          if (!step) return
          e.preventDefault()
          move((at ?? points.length - 1) + step)
        }}
        onBlur={() => setAt(null)}
        onPointerLeave={() => setAt(null)}
        onPointerMove={(e) => {
          const box = e.currentTarget.getBoundingClientRect()
          const t = x.invert(((e.clientX - box.left) / box.width) * width)
          move(times.reduce((best, v, i) => (Math.abs(v - t) < Math.abs((times[best] ?? 0) - t) ? i : best), 0))
        }}
      >
        <title id={`${id}t`}>{title}</title>
        <desc id={`${id}d`}>
          {last
            ? `${format(last.value)} on ${dayShort(last.at, zone)}${target === undefined ? '' : `, target ${format(target)}`}`
            : 'No figures yet'}
        </desc>
        {y.ticks(4).map((t) => (
          <g key={t} className="grid">
            <line x1={margin.left} x2={width - margin.right} y1={y(t)} y2={y(t)} />
            <text x={margin.left - 8} y={y(t)} dy="0.32em" textAnchor="end">
              {format(t)}
            </text>
          </g>
        ))}
        {days.map((t) => (
          <text key={+t} className="axis" x={x(t)} y={height - 6} textAnchor="middle">
            {dayShort(t, zone)}
          </text>
        ))}
        {target !== undefined && <line className="target" x1={margin.left} x2={width - margin.right} y1={y(target)} y2={y(target)} />}
        {needed.length > 1 && (
          <path
            className="needed"
            d={
              line<Point>(
                (p) => of(p)[0],
                (p) => of(p)[1],
              )(needed as Point[]) ?? ''
            }
          />
        )}
        <path className="under" d={under} />
        <path className="line" d={path} />
        {(points.length < 40 ? points : runs.flatMap((run) => (run.length === 1 ? run : []))).map((p) => (
          <circle key={p.at} className="small-dot" cx={of(p)[0]} cy={of(p)[1]} r={2.5} />
        ))}
        {shown && <circle cx={of(shown)[0]} cy={of(shown)[1]} r={4} />}
        {shown && at !== null && (
          <line className="cursor" x1={of(shown)[0]} x2={of(shown)[0]} y1={margin.top} y2={height - margin.bottom} />
        )}
      </svg>
      {legend.length > 1 && <Legend items={legend} />}
      <figcaption className="xsmall muted">
        <span aria-live="polite" className="num">
          {shown ? `${dayShort(shown.at, zone)}: ${format(shown.value)}` : 'No figures yet'}
        </span>
        {points.length > 0 && (
          <details onToggle={(e) => setOpen(e.currentTarget.open)}>
            <summary>Table</summary>
            <div className="scrolls" tabIndex={0} role="region" aria-label={`${title}: table`}>
              <table className="table">
                <thead>
                  <tr>
                    <th scope="col">Day</th>
                    <th scope="col" className="right">
                      {title}
                    </th>
                    {needed.length > 0 && (
                      <th scope="col" className="right">
                        Needed
                      </th>
                    )}
                  </tr>
                </thead>
                <tbody>
                  {(open ? rows : []).map((r) => (
                    <tr key={r.at}>
                      <td>{dayShort(r.at, zone)}</td>
                      <td className="right">{r.value === undefined ? '–' : format(r.value)}</td>
                      {r.needed !== undefined && <td className="right">{format(r.needed)}</td>}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </details>
        )}
      </figcaption>
    </figure>
  )
}
