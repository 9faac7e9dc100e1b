const shown = new Intl.NumberFormat(undefined).formatToParts(1234567.5)
const part = (type: 'group' | 'decimal') => shown.find((p) => p.type === type)?.value ?? ''

// numberOf returns the number that a person typed as their language writes it, with its
// separators of thousands or without, and NaN for anything else: what could be meant in two
// ways isn't guessed.
export function numberOf(text: string, group = part('group'), decimal = part('decimal')): number {
  const typed = text.trim().replace(/[\s\u00a0\u202f'’]/g, '')
  const quoted = (s: string) => s.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const thousands = /[.,]/.test(group)
    ? new RegExp(`^\\d{1,3}(${quoted(group)}\\d{2,3})*${quoted(group)}\\d{3}(?=\\D*$|${quoted(decimal)})`)
    : null
  const whole = thousands?.exec(typed)?.[0]
  const plain = whole ? whole.replaceAll(group, '') + typed.slice(whole.length) : typed
  const point = plain.replace(decimal, '.')
  // A point is a decimal one in every language that doesn't group by it.
  if (decimal !== '.' && plain.includes('.') && group === '.') return NaN
  return /^\d+(\.\d+)?$/.test(point) ? Number(point) : NaN
}

// typed returns a number as a person types it.
export const typed = (n: number) => new Intl.NumberFormat(undefined, { useGrouping: false, maximumFractionDigits: 20 }).format(n)
