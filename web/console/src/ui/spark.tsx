import './chart.css'

// Spark draws a course in the height of a line of text.
export function Spark({ points, label }: { points: readonly number[]; label: string }) {
  const top = Math.max(...points, 1e-9)
  const w = 96
  const step = w / Math.max(points.length - 1, 1)
  const d = points.map((v, i) => `${i ? 'L' : 'M'}${(i * step).toFixed(1)} ${(22 - (v / top) * 20).toFixed(1)}`).join('')
  return (
    <svg className="spark" viewBox={`0 0 ${w} 24`} width={w} height={24} role="img" aria-label={label}>
      <path className="line" d={d} />
    </svg>
  )
}
