import { bytes, length, type Limits } from '../../text/length'
import { count } from '../../core/format'

// measure returns a text's length, and whether it is within its limits.
export function measure(limits: Limits, text: string) {
  const n = length(limits, text)
  const size = limits.maxBytes > 0 ? bytes(text) : 0
  return { n, ok: n <= limits.maxLength && size <= (limits.maxBytes || Infinity) && text.trim() !== '' }
}

// Length shows how much of a platform's limit a text takes.
export function Length({ limits, text }: { limits: Limits; text: string }) {
  const { n, ok } = measure(limits, text)
  const share = Math.min(1, n / Math.max(1, limits.maxLength))
  const tone = !ok && text !== '' ? 'bad' : share > 0.9 ? 'warn' : ''
  return (
    <span className={`length num ${tone}`} title={`${count(n)} of ${count(limits.maxLength)} characters, as the platform counts them`}>
      <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
        <circle cx="7" cy="7" r="5.5" fill="none" stroke="var(--line)" strokeWidth="2" />
        <circle
          cx="7"
          cy="7"
          r="5.5"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          strokeDasharray={`${34.56 * share} 40`}
          transform="rotate(-90 7 7)"
        />
      </svg>
      <span>
        {count(n)}
        <span className="faint">/{count(limits.maxLength)}</span>
      </span>
    </span>
  )
}
