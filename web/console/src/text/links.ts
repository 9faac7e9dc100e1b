import { accented, alphanumeric, before, charAt, matching, run, space, spacedLetter } from './characters'
import { tlds } from './rules.json'

// Where a platform makes links in a text: internal/links/links.go and bluesky.go in Go,
// rule by rule. vectors.json holds both to the same.

// Span is a piece of a text, from start to end.
export type Span = { start: number; end: number }

type In = (c: string) => boolean
type Rule = {
  schemes: string[]
  bare?: boolean
  strictBare?: boolean
  anyHost?: boolean
  path: In
  pathEnd: In
  query: In
  queryEnd: In
}

const or =
  (...all: In[]): In =>
  (c) =>
    all.some((is) => is(c))
const cyrillic = matching(/^[\u0400-\u04ff]$/)

const x: Rule = {
  schemes: ['https://', 'http://'],
  bare: true,
  path: or(matching(/^[a-z0-9!*';:=+,.$/%#[\]\-_~|&@–]$/i), accented, cyrillic),
  pathEnd: or(matching(/^[a-z0-9=_#/\-+]$/i), accented, cyrillic),
  query: matching(/^[a-z0-9!?*'();:&=+$/%#[\]\-_.,~|@]$/i),
  queryEnd: matching(/^[a-z0-9\-_&=#/]$/i),
}
const mastodon: Rule = {
  schemes: ['https://', 'http://', 'dat://', 'dweb://', 'ipfs://', 'ipns://', 'ssb://', 'gopher://', 'gemini://'],
  path: (c) => c !== '' && !space(c) && !'<>()?'.includes(c),
  pathEnd: (c) => c !== '' && !space(c) && !'()?!*"\'「」<>;:=,.$%[]~&|@'.includes(c),
  query: matching(/^[a-z0-9!?*'();:&=+$/%#[\]\-_.,~|@^\u{a0}-\u{10ffff}]$/iu),
  queryEnd: matching(/^[a-z0-9_&=#/\-\u{a0}-\u{10ffff}]$/iu),
}
const written: Rule = {
  schemes: x.schemes,
  anyHost: true,
  path: or(x.path, spacedLetter),
  pathEnd: or(x.pathEnd, spacedLetter),
  query: or(x.query, spacedLetter),
  queryEnd: or(x.queryEnd, spacedLetter),
}
const bluesky: Rule = { ...written, bare: true, strictBare: true }

const maxURL = 4096
const maxHost = 253
const maxLabel = 63
const maxTLD = 24
const utf8 = (text: string) => new TextEncoder().encode(text).length
const points = (text: string) => [...text].length

// links returns the links that a platform makes in a text, in order.
export function links(platform: string, text: string): Span[] {
  if (platform === 'TWITTER') return find(x, text)
  if (platform === 'MASTODON') return find(mastodon, text)
  if (platform !== 'BLUESKY') return find(written, text)
  return find(bluesky, text).map(({ start, end }) => {
    // Emphasis of Markdown around a link isn't part of it.
    for (let at = start - 1; at >= 0 && end - 1 > start && '*_~'.includes(text[at]!) && text[end - 1] === text[at]; at--) end--
    return { start, end }
  })
}

function find(rule: Rule, text: string): Span[] {
  const found: Span[] = []
  let last = ''
  let fruitless = 0
  for (let at = 0; at < text.length;) {
    const c = charAt(text, at)
    if (precedes(last)) {
      const { link, ok, stop } = from(rule, text, at, last, at >= fruitless)
      if (link && ok) found.push(link)
      if (link) {
        last = before(text, link.end)
        at = link.end
        continue
      }
      fruitless = Math.max(fruitless, stop)
    }
    last = c
    at += c.length
  }
  return found
}

const precedes: In = (c) => c === '' || (!alphanumeric(c) && !'@$#＠＃\ufffe\ufeff\uffff'.includes(c))

type Read = { link?: Span; ok?: boolean; stop: number }

function from(rule: Rule, text: string, at: number, last: string, bare: boolean): Read {
  const head = text.slice(at, at + 10).toLowerCase()
  const scheme = rule.schemes.find((s) => head.startsWith(s))
  if (scheme) {
    const start = at + scheme.length
    let end = domain(text, start).end || foreign(text, start)
    if (rule.anyHost) end = Math.max(end, anyHost(text, start))
    if (end && rule.anyHost && misleads(text.slice(end))) return { stop: 0 }
    if (end) {
      const ok = sound(text.slice(start, end))
      end = tail(rule, text, end)
      return { link: { start: at, end }, ok: ok && points(text.slice(at, end)) <= maxURL, stop: 0 }
    }
  }
  if (!bare) return { stop: 0 }
  const name = domain(text, at)
  if (!name.end) return { stop: name.stop }
  let ok =
    !!rule.bare && (!rule.strictBare || strictly(text, at, name.end)) && !(last && '-_./'.includes(last)) && sound(text.slice(at, name.end))
  const end = tail(rule, text, name.end)
  ok &&= points(text.slice(at, end)) <= maxURL
  return { link: { start: at, end }, ok, stop: 0 }
}

function domain(text: string, start: number): { end: number; stop: number } {
  let end = 0
  let at = start
  while (utf8(text.slice(start, at)) <= maxHost) {
    const l = label(text, at)
    if (!l.ok) return { end, stop: Math.max(l.end, start + 1) }
    at = l.end
    if (text[at] !== '.') break
    at++
    if (!l.underscored) end = tldAt(text, at) || end
  }
  return { end, stop: at }
}

function label(text: string, start: number) {
  let at = start
  let underscored = false
  let ok = false
  for (;;) {
    const c = charAt(text, at)
    if (alphanumeric(c) || accented(c)) ok = true
    else if ((c === '-' || c === '_') && at > start) {
      ok = false
      underscored ||= c === '_'
    } else return { end: at, underscored, ok }
    at += c.length
  }
}

// foreign returns the end of a host of one label of any script, or 0.
function foreign(text: string, start: number): number {
  let hyphen = true
  for (let at = start; at < text.length && utf8(text.slice(start, at)) <= maxHost;) {
    const c = charAt(text, at)
    if (c === '.' && !hyphen) return tldAt(text, at + 1)
    if (c === '-' && at > start) hyphen = true
    else if (/^[!-/:-@[-`{-~\u2000-\u206f\ufffd]$/.test(c) || space(c)) return 0
    else hyphen = false
    at += c.length
  }
  return 0
}

function anyHost(text: string, start: number): number {
  let end = 0
  for (let at = start; utf8(text.slice(start, at)) <= maxHost; at++) {
    const l = label(text, at)
    if (!l.ok) break
    at = end = l.end
    if (text[at] !== '.') break
  }
  return end
}

const misleads = (rest: string) => /^(?:@|:\/\/)/.test(rest) || (rest.startsWith(':') && /^:[^\s\p{Z}@/?#]{0,250}@/u.test(rest))

function strictly(text: string, start: number, end: number): boolean {
  const tld = text.slice(text.lastIndexOf('.', end - 1) + 1, end)
  if (!/^\p{L}/u.test(text.slice(start, end)) || tld.toLowerCase() !== tld) return false
  const next = charAt(text, end + 1)
  return text[end] !== '.' || (!alphanumeric(next) && !accented(next))
}

// known are the top-level domains, which the service's test writes.
const known = new Set(tlds.split(' '))

export const isTLD = (name: string) => known.has(name.toLowerCase())

function tldAt(text: string, start: number): number {
  for (const end of tldEnds(text, start)) {
    const next = charAt(text, end)
    if (!alphanumeric(next) && !'@+-'.includes(next || ' ') && isTLD(text.slice(start, end))) return end
  }
  return 0
}

function tldEnds(text: string, start: number): number[] {
  const punycode = text.slice(start, start + 4).toLowerCase() === 'xn--'
  const at = run(text, start, matching(punycode ? /^[a-z0-9-]$/i : /^[a-z]$/i), maxLabel + 1)
  if (at > start) return [at]
  const ends: number[] = []
  for (let end = start; ends.length < maxTLD; ends.unshift(end)) {
    const c = charAt(text, end)
    if (!/^[^\0-\x7f]$/u.test(c) || !/^[\p{L}\p{M}]$/u.test(c)) break
    end += c.length
  }
  return ends
}

// sound reports whether a host's labels have valid lengths, as they are sent.
function sound(host: string): boolean {
  const labels = host.split('.').map(asciiOf)
  return labels.every((l) => l !== undefined && l.length <= maxLabel) && labels.join('.').length <= maxHost
}

// asciiOf returns a label as it is sent, or undefined if it can't be. One in ASCII is as it is,
// whatever Punycode it seems to be.
function asciiOf(label: string): string | undefined {
  if (/^[\0-\x7f]*$/.test(label)) return label
  return /^xn--/i.test(label) ? undefined : url(label) || label
}

function url(host: string): string {
  try {
    return new URL(`http://${host.replace(/_/g, 'a')}/`).hostname
  } catch {
    return ''
  }
}

function tail(rule: Rule, text: string, end: number): number {
  const port = /^:\d+/.exec(text.slice(end, end + 32))
  if (port) end += run(text, end + 1, matching(/^\d$/)) - end
  if (text[end] === '/' || (rule.anyHost && text[end] === '#')) end = pathFrom(rule, text, end + 1)
  if (text[end] !== '?') return end
  for (let at = end + 1; at < text.length;) {
    const c = charAt(text, at)
    if (!rule.query(c)) break
    at += c.length
    if (rule.queryEnd(c)) end = at
  }
  return end
}

function pathFrom(rule: Rule, text: string, at: number): number {
  let end = at
  while (at < text.length) {
    const c = charAt(text, at)
    if (c === '(') {
      at = brackets(rule, text, at, 2)
      if (!at) return end
      end = at
    } else if (rule.path(c)) {
      at += c.length
      if (rule.pathEnd(c)) end = at
    } else return end
  }
  return end
}

function brackets(rule: Rule, text: string, start: number, depth: number): number {
  let nested = false
  for (let at = start + 1; at < text.length && at - start <= maxURL;) {
    const c = charAt(text, at)
    if (c === ')' && at > start + 1) return at + 1
    if (c === '(' && depth > 1 && !nested) {
      nested = true
      at = brackets(rule, text, at, depth - 1)
      if (!at) return 0
    } else if (rule.path(c)) at += c.length
    else return 0
  }
  return 0
}

// shown returns a link as platforms show it: without its scheme, and not too long.
export function shown(link: string) {
  const bare = link.replace(/^\w+:\/\/(?:www\.)?/i, '').replace(/\/$/, '')
  return bare.length > 30 ? `${bare.slice(0, 29)}…` : bare
}
