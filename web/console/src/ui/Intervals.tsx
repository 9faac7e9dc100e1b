import './chart.css'
import { useId } from 'react'
import { Legend } from './Legend'

export type Interval = { name: string; mean: number; low: number; high: number; count: number; preferred: boolean }

const width = 560
const names = 130
const row = 24

// Intervals draws estimates with their intervals, a row each, and a table with the same
// numbers. The preferred row says so. zero is what the vertical line is called.
export function Intervals({
  title,
  rows,
  format,
  level,
  zero,
}: {
  title: string
  rows: readonly Interval[]
  format: (value: number) => string
  level: string
  zero: string
}) {
  const id = useId()
  const low = Math.min(0, ...rows.map((r) => r.low))
  const high = Math.max(0, ...rows.map((r) => r.high))
  const x = (v: number) => names + 8 + ((v - low) / Math.max(high - low, 1e-9)) * (width - names - 20)
  const best = rows.find((r) => r.preferred)
  return (
    <figure className="chart intervals">
      <h3 className="small">{title}</h3>
      <svg viewBox={`0 0 ${width} ${rows.length * row + 4}`} role="img" tabIndex={0} aria-labelledby={`${id}t ${id}d`}>
        <title id={`${id}t`}>{title}</title>
        <desc id={`${id}d`}>
          {best
            ? `${best.name} is preferred: ${format(best.mean)}, between ${format(best.low)} and ${format(best.high)}`
            : 'Nothing is preferred yet'}
        </desc>
        <line className="zero" x1={x(0)} x2={x(0)} y1={0} y2={rows.length * row} />
        {rows.map((r, i) => {
          const y = i * row + row / 2
          return (
            <g key={r.name} className={r.preferred ? 'preferred' : ''}>
              <text x={names} y={y} dy="0.32em" textAnchor="end">
                {r.preferred ? `★ ${r.name}` : r.name}
              </text>
              <line className="whisker" x1={x(r.low)} x2={x(r.high)} y1={y} y2={y} />
              <circle cx={x(r.mean)} cy={y} r={4} />
            </g>
          )
        })}
      </svg>
      <Legend
        items={[
          ['estimate', 'Estimate'],
          ['whisker', `${level} range`],
          ['zero', zero],
        ]}
      />
      <figcaption className="xsmall muted">
        <span>{best ? `★ ${best.name} is preferred.` : 'Nothing is preferred yet.'}</span>
        <details>
          <summary>Table</summary>
          <div className="scrolls" tabIndex={0} role="region" aria-label={`${title}: table`}>
            <table className="table">
              <thead>
                <tr>
                  <th scope="col">Choice</th>
                  <th scope="col" className="right">
                    Mean
                  </th>
                  <th scope="col" className="right">
                    Low
                  </th>
                  <th scope="col" className="right">
                    High
                  </th>
                  <th scope="col" className="right">
                    Posts
                  </th>
                </tr>
              </thead>
              <tbody>
                {rows.map((r) => (
                  <tr key={r.name}>
                    <td>
                      {r.name}
                      {r.preferred && ' (preferred)'}
                    </td>
                    <td className="right">{format(r.mean)}</td>
                    <td className="right">{format(r.low)}</td>
                    <td className="right">{format(r.high)}</td>
                    <td className="right">{r.count}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </details>
      </figcaption>
    </figure>
  )
}
