import { links, type Span } from './links'

// Unit is the schema's LengthUnit. Go's internal/textlimit is the original; the vectors
// in vectors.json are written by its test.
export type Unit = 'CHARACTERS' | 'WEIGHTED' | 'GRAPHEMES' | 'MASTODON' | 'ESCAPED'

export type Limits = { platform: string; unit: Unit; maxLength: number; linkLength: number; maxBytes: number }

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
const mentions = /@([A-Za-z0-9_.-]+)@[A-Za-z0-9.-]+/g
// Unicode 15.1 joins these consonants of India to one character; the service doesn't yet.
const conjunct = /(?<=[\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d]\u200d?)(?=\p{Lo})/u
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
function shortened({ platform, unit, linkLength }: Pick<Limits, 'platform' | 'unit' | 'linkLength'>, text: string): (Span & { weight: number })[] {
  if (linkLength === 0) return []
  const found = links(platform, text).map((l) => ({ ...l, weight: linkLength }))
  if (unit === 'WEIGHTED') return found
  const inLink = (start: number, end: number) => found.some((l) => start < l.end && end > l.start)
  const named = [...text.matchAll(mentions)]
    .map((m) => ({ start: m.index, end: m.index + m[0].length, weight: m[1]!.length + 1 }))
    .filter((m) => !inLink(m.start, m.end))
  return [...found, ...named].sort((a, b) => a.start - b.start)
}

function characters(unit: Unit, text: string): number {
  let n = 0
  for (const { segment } of segmenter.segment(text)) {
    for (const cluster of segment.split(conjunct)) n += weightOf(unit, cluster)
  }
  return n
}

function weightOf(unit: Unit, cluster: string): number {
  switch (unit) {
    case 'GRAPHEMES':
    case 'MASTODON':
      return 1
    case 'WEIGHTED': {
      const points = [...cluster].map((c) => c.codePointAt(0)!)
      if (points.some(emoji)) return 2
      return [...cluster.normalize('NFC')].reduce((sum, c) => sum + weight(c.codePointAt(0)!), 0)
    }
    case 'ESCAPED':
      return [...cluster].reduce((sum, c) => sum + (reserved.has(c) ? 2 : 1), 0)
    default:
      return [...cluster].length
  }
}

const emoji = (p: number) => (p >= 0x1f000 && p <= 0x1faff) || (p >= 0x2600 && p <= 0x27bf) || p === 0x20e3 || p === 0xfe0f

const weight = (p: number) => (p <= 0x10ff || (p >= 0x2000 && p <= 0x200d) || (p >= 0x2010 && p <= 0x201f) || (p >= 0x2032 && p <= 0x2037) ? 1 : 2)
