import { accented, alphanumeric, before, charAt, letter, matching, opening, punctuation, run, white, word } from './characters'
import { isTLD, links, type Span } from './links'

// What platforms make mentions and tags of in a text: internal/links/entities.go and
// bluesky.go in Go, rule by rule.

export type Kind = 'link' | 'mention' | 'tag'
export type Entity = Span & { kind: Kind; name: string }
export type Piece = { kind: 'text' | Kind; text: string }

type In = (c: string) => boolean
type Reader = (last: string, start: number, head: number) => { entity?: Omit<Entity, 'kind'>; next: number }

// entities returns what a platform makes links, mentions and tags of, in order and without
// overlap.
export function entities(platform: string, text: string): Entity[] {
  return apart([...linked(platform, text), ...mentioned(platform, text), ...tagged(platform, text)])
}

// mentions returns what entities does, without tags.
export const mentions = (platform: string, text: string) => apart([...linked(platform, text), ...mentioned(platform, text)])

// pieces splits a text into its entities and the rest.
export function pieces(platform: string, text: string): Piece[] {
  const out: Piece[] = []
  let at = 0
  for (const { kind, start, end } of entities(platform, text)) {
    if (start > at) out.push({ kind: 'text', text: text.slice(at, start) })
    out.push({ kind, text: text.slice(start, end) })
    at = end
  }
  if (at < text.length) out.push({ kind: 'text', text: text.slice(at) })
  return out
}

const linked = (platform: string, text: string): Entity[] => links(platform, text).map((l) => ({ ...l, kind: 'link', name: '' }))

function mentioned(platform: string, text: string): Entity[] {
  const read = { TWITTER: xMentions, MASTODON: mastodonMentions, BLUESKY: blueskyMentions, LINKEDIN: () => [] }[platform] ?? plainMentions
  return read(text).map((e) => ({ ...e, kind: 'mention' }))
}

function tagged(platform: string, text: string): Entity[] {
  const read = { TWITTER: xTags, MASTODON: mastodonTags, BLUESKY: blueskyTags }[platform] ?? plainTags
  return read(text).map((e) => ({ ...e, kind: 'tag' }))
}

function apart(all: Entity[]): Entity[] {
  let end = 0
  return all
    .sort((a, b) => a.start - b.start)
    .filter((e) => {
      if (e.start < end) return false
      end = e.end
      return true
    })
}

type Found = Omit<Entity, 'kind'>

function scanned(text: string, signs: string, read: Reader): Found[] {
  const found: Found[] = []
  for (let at = 0; at < text.length;) {
    const c = charAt(text, at)
    if (!signs.includes(c)) {
      at += c.length
      continue
    }
    const { entity, next } = read(before(text, at), at, at + c.length)
    if (entity) found.push(entity)
    at = Math.max(next, at + c.length)
  }
  return found
}

const nameCharacter = matching(/^[a-z0-9_]$/i)
const joint = matching(/^[.-]$/)

function dotted(text: string, at: number, is: In): number {
  let end = run(text, at, is)
  while (end > at) {
    const between = run(text, end, joint)
    const next = run(text, between, is)
    if (between === end || next === between) break
    end = next
  }
  return end
}

const endsMention = (text: string, at: number) => {
  const next = charAt(text, at)
  return next !== '@' && next !== '＠' && !accented(next) && !text.startsWith('://', at)
}

function mastodonMentions(text: string): Found[] {
  return scanned(text, '@', (last, start, head) => {
    if (word(last) || last === '/' || last === '=') return { next: start }
    let end = dotted(text, head, nameCharacter)
    if (end === head) return { next: start }
    const name = text.slice(head, end)
    if (text[end] === '@') {
      const domain = dotted(text, end + 1, word)
      if (domain > end + 1) end = domain
    }
    return { entity: endsMention(text, end) ? { start, end, name } : undefined, next: end }
  })
}

const beforeNoMention = matching(/^[a-z0-9_!#$%&*@＠]$/i)

function xMentions(text: string): Found[] {
  return scanned(text, '@＠', (last, start, head) => {
    if (beforeNoMention(last) && !/(?:^|[^a-z0-9_+~.-])rt:?$/i.test(text.slice(Math.max(start - 4, 0), start))) return { next: start }
    let end = run(text, head, nameCharacter, 20)
    const name = text.slice(head, end)
    if (end > head && text[end] === '/' && /^[a-z]$/i.test(text[end + 1] ?? '')) end = run(text, end + 1, matching(/^[a-z0-9_-]$/i), 25)
    return { entity: end > head && endsMention(text, end) ? { start, end, name } : undefined, next: end }
  })
}

const hashtagLetter = matching(/^[\p{L}\p{M}]$/u)
const tagCharacter = matching(
  /^[\p{L}\p{M}\p{Nd}_\u200c\u200d\ua67e\u05be\u05f3\u05f4\uff5e\u301c\u309b\u309c\u30a0\u30fb\u3003\u0f0b\u0f0c\u00b7]$/u,
)

function xTags(text: string): Found[] {
  return scanned(text, '#＃', (last, start, head) => {
    if (last !== '' && last !== '\ufe0e' && last !== '\ufe0f' && (tagCharacter(last) || last === '&')) return { next: start }
    const end = run(text, head, tagCharacter)
    const name = text.slice(head, end)
    const next = charAt(text, head)
    const after = charAt(text, end)
    const ok =
      next !== '\ufe0f' &&
      next !== '\u20e3' &&
      [...name].some(hashtagLetter) &&
      after !== '#' &&
      after !== '＃' &&
      !text.startsWith('://', end)
    return { entity: ok ? { start, end, name } : undefined, next: end }
  })
}

function mastodonTags(text: string): Found[] {
  const separator = matching(/^[_·・\u200c]$/)
  return scanned(text, '#＃', (last, start, head) => {
    if (/^[=/)\p{L}\p{Nd}]$/u.test(last) || !word(charAt(text, head))) return { next: start }
    const end = run(text, head, (c) => word(c) || separator(c))
    const name = text.slice(head, end).replace(/[·・\u200c]+$/, '')
    const ok = [...name].some(letter) || [...name].slice(1, -1).some(separator)
    return { entity: ok ? { start, end: head + name.length, name } : undefined, next: end }
  })
}

function plainMentions(text: string): Found[] {
  return scanned(text, '@', (last, start, head) => {
    if (word(last) || '/.@'.includes(last || ' ')) return { next: start }
    const end = dotted(text, head, nameCharacter)
    return { entity: end > head ? { start, end, name: text.slice(head, end) } : undefined, next: end }
  })
}

function plainTags(text: string): Found[] {
  return scanned(text, '#', (last, start, head) => {
    if (!opening(last)) return { next: start }
    const end = run(text, head, matching(/^[\p{L}\p{M}\p{N}_]$/u))
    const name = text.slice(head, end)
    return { entity: /^[\p{L}\p{Nd}]/u.test(name) && !/[\ufe0f\u20e3]/.test(name) ? { start, end, name } : undefined, next: end }
  })
}

const handle = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/i

function blueskyMentions(text: string): Found[] {
  return scanned(text, '@', (last, start, head) => {
    if (!opening(last)) return { next: start }
    const next = run(text, head, matching(/^[a-z0-9.-]$/i))
    const name = text.slice(head, next).replace(/[.-]+$/, '')
    const end = head + name.length
    const tld = name.slice(name.lastIndexOf('.') + 1)
    const ok = name.length <= 253 && handle.test(name) && text[end] !== '_' && ((tld.toLowerCase() === tld && isTLD(tld)) || tld === 'test')
    return { entity: ok ? { start, end, name } : undefined, next }
  })
}

const hiddenInTag = matching(/^[\u00ad\u2060\u200a\u200b\u200c\u200d\u20e2]$/)
const closing = matching(/^[\p{Pe}\p{Pf}]$/u)
const bytes = (text: string) => new TextEncoder().encode(text).length

function blueskyTags(text: string): Found[] {
  const found = links('BLUESKY', text)
  const tags = scanned(text, '#＃', (last, start, head) => {
    if (!opening(last) || charAt(text, head) === '\ufe0f') return { next: start }
    const link = found.find((l) => l.end > head)
    const limit = link ? Math.max(link.start, head) : text.length
    const closed = last !== '' && !white(last) && last !== '\ufeff'
    const end = run(
      text.slice(0, limit),
      head,
      (c) => c !== '' && !white(c) && c !== '\ufeff' && !hiddenInTag(c) && (!closed || (!closing(c) && c !== last)),
    )
    const name = text.slice(head, end).replace(/\p{P}+$/u, '')
    const ok = bytes(name) <= 640 && name.length <= 64 && [...name].some((c) => !/^[0-9]$/.test(c) && !punctuation(c))
    return { entity: ok ? { start, end: head + name.length, name } : undefined, next: Math.max(head, head + name.length) }
  })
  return [...tags, ...blueskyCashtags(text)]
}

function blueskyCashtags(text: string): Found[] {
  return scanned(text, '$', (last, start, head) => {
    const end = run(text, head, alphanumeric, 6)
    const next = charAt(text, end)
    const ok =
      (last === '' || white(last) || last === '(') &&
      end > head &&
      end - head <= 5 &&
      text[head]! > '9' &&
      (next === '' || white(next) || '.,;:!?)"\'’'.includes(next))
    return { entity: ok ? { start, end, name: `$${text.slice(head, end).toUpperCase()}` } : undefined, next: end }
  })
}
