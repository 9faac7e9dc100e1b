import { dateTime, span, time } from '../../core/format'
import { stageName } from '../../core/words'

export type Stages = readonly {
  readonly name: string
  readonly status: string
  readonly startedAt: string | null | undefined
  readonly completedAt: string | null | undefined
}[]

// bar returns where a stage lies on a line from a time on that is as long as given, in percent; null
// before it starts. What runs ends now.
function bar(s: Stages[number], from: number, long: number, now: number) {
  if (!s.startedAt) return null
  const start = Date.parse(s.startedAt)
  const end = s.completedAt ? Date.parse(s.completedAt) : s.status === 'RUNNING' ? now : start
  const x = Math.min(99, Math.max(0, (100 * (start - from)) / long))
  return { x, width: Math.min(100 - x, Math.max(1, (100 * (end - start)) / long)), start, end }
}

// Lanes draws a cycle's stages to scale, each on a line of its own: small in a row of a table, and
// opened with their names and times.
export function Lanes({ stages, from, long, now, zone }: { stages: Stages; from: number; long: number; now: number; zone?: string }) {
  return (
    <svg className="lanes" viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true">
      <title>{`${dateTime(from, zone)} and ${span(long)} from then`}</title>
      {stages.map((s, n) => {
        const b = bar(s, from, long, now)
        return b && <rect key={s.name} className={s.status.toLowerCase()} x={b.x} y={4 * n} width={b.width} height={3} />
      })}
    </svg>
  )
}

// Timeline is Lanes with the stages' names and times.
export function Timeline({ stages, from, now, zone }: { stages: Stages; from: number; now: number; zone?: string }) {
  const ends = stages.map((s) => bar(s, from, 1, now)?.end ?? 0)
  const long = Math.max(1, Math.max(...ends) - from)
  return (
    <ol className="timeline small">
      {stages.map((s) => {
        const b = bar(s, from, long, now)
        return (
          <li key={s.name}>
            <span className={b ? '' : 'muted'}>{stageName(s.name)}</span>
            <svg className="lanes" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
              {b && <rect className={s.status.toLowerCase()} x={b.x} width={b.width} height={10} />}
            </svg>
            <span className="xsmall muted num">
              {b ? `${time(b.start, zone)} to ${s.completedAt ? time(b.end, zone) : 'now'}, ${span(b.end - b.start)}` : 'not yet'}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
