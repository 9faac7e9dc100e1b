import { bytes, length, type Limits } from '../../text/length'
import { count } from '../../core/format'

// measure returns a text's length and the longest that is allowed, which may be less for one with files,
// and whether it is within its limits.
export function measure(limits: Limits, text: string, files = false) {
  const n = length(limits, text)
  const size = limits.maxBytes > 0 ? bytes(text) : 0
  const most = files ? limits.maxCaption : limits.maxLength
  return { n, most, ok: n <= most && size <= (limits.maxBytes || Infinity) && text.trim() !== '' }
}

// Length shows how much of a platform's limit a text takes.
export function Length({ limits, text, files }: { limits: Limits; text: string; files?: boolean }) {
  const { n, most, ok } = measure(limits, text, files)
  const share = Math.min(1, n / Math.max(1, most))
  const tone = !ok && text !== '' ? 'bad' : share > 0.9 ? 'warn' : ''
  return (
    <span className={`length num ${tone}`} title={`${count(n)} of ${count(most)} characters, as the platform counts them`}>
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
        <span className="faint">/{count(most)}</span>
      </span>
    </span>
  )
}
