import { mentions } from './entities'
import { links, type Span } from './links'
import { emoji } from './rules.json'

// Unit is the schema's LengthUnit. internal/textlimit in Go has the same rules; vectors.json
// holds both to the same.
export type Unit = 'CHARACTERS' | 'WEIGHTED' | 'GRAPHEMES' | 'MASTODON' | 'ESCAPED' | 'THREADS'

// Limits are those of an account's texts; maxCaption is maxLength of a part that has files.
export type Limits = { platform: string; unit: Unit; maxLength: number; maxCaption: number; linkLength: number; maxBytes: number }

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
const reserved = new Set('\\|{}@[]()<>#*_~')

// length returns how long a text is as its platform counts it.
export function length(limits: Pick<Limits, 'platform' | 'unit' | 'linkLength'>, text: string): number {
  let n = 0
  let at = 0
  for (const s of shortened(limits, text)) {
    n += characters(limits.unit, text.slice(at, s.start)) + s.weight
    at = s.end
  }
  return n + characters(limits.unit, text.slice(at))
}

// bytes returns how long a text is in UTF-8.
export const bytes = (text: string) => new TextEncoder().encode(text).length

// shortened returns the pieces that don't count as their characters do.
function shortened(
  { platform, unit, linkLength }: Pick<Limits, 'platform' | 'unit' | 'linkLength'>,
  text: string,
): (Span & { weight: number })[] {
  if (linkLength === 0) return []
  if (unit === 'WEIGHTED') return links(platform, text).map((l) => ({ ...l, weight: linkLength }))
  return mentions(platform, text).map((e) => ({ ...e, weight: e.kind === 'mention' ? 1 + e.name.length : linkLength }))
}

function characters(unit: Unit, text: string): number {
  let n = 0
  for (const { segment } of segmenter.segment(text)) n += weightOf(unit, segment)
  return n
}

function weightOf(unit: Unit, cluster: string): number {
  switch (unit) {
    case 'GRAPHEMES':
    case 'MASTODON':
      return 1
    case 'WEIGHTED':
      return weighted(cluster.normalize('NFC'))
    case 'ESCAPED':
      return [...cluster].reduce((sum, c) => sum + (reserved.has(c) ? 2 : 1), 0)
    case 'THREADS':
      return /\p{Extended_Pictographic}|\p{Regional_Indicator}|\ufe0f/u.test(cluster) && !/^[©®™]$/u.test(cluster)
        ? bytes(cluster)
        : [...cluster].length
    default:
      return [...cluster].length
  }
}

// known matches the emoji of more than one code point that X counts as one.
const known = new RegExp(emoji, 'gu')

function weighted(cluster: string): number {
  const rest = cluster.length > 1 ? cluster.replace(known, '') : cluster
  const whole = cluster.length > 1 ? (cluster.match(known)?.length ?? 0) : 0
  return 2 * whole + [...rest].reduce((sum, c) => sum + weight(c.codePointAt(0)!), 0)
}

const weight = (p: number) =>
  p <= 0x10ff || (p >= 0x2000 && p <= 0x200d) || (p >= 0x2010 && p <= 0x201f) || (p >= 0x2032 && p <= 0x2037) ? 1 : 2
