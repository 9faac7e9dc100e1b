// The classes of characters that the rules of links, mentions and tags are made of, as
// internal/links in Go has them.

// charAt returns the character at an index of a text, or '' at its end.
export function charAt(text: string, at: number): string {
  const point = text.codePointAt(at)
  return point === undefined ? '' : String.fromCodePoint(point)
}

// before returns the character before an index of a text, or '' at its start.
export function before(text: string, at: number): string {
  const low = text.charCodeAt(at - 1)
  return at >= 2 && low >= 0xdc00 && low <= 0xdfff ? charAt(text, at - 2) : text.slice(Math.max(at - 1, 0), at)
}

type In = (c: string) => boolean

// matching returns a test for a character; '' is in no class.
export const matching =
  (re: RegExp): In =>
  (c) =>
    c !== '' && re.test(c)

// run returns the index after the characters from an index on that are in a class, at most
// most of them.
export function run(text: string, at: number, is: In, most = Infinity): number {
  for (let n = 0; n < most; n++) {
    const c = charAt(text, at)
    if (!is(c)) break
    at += c.length
  }
  return at
}

export const alphanumeric = matching(/^[a-z0-9]$/i)
export const accented = matching(
  /^[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0253\u0254\u0256\u0257\u0259\u025b\u0263\u0268\u026f\u0272\u0289\u028b\u02bb\u0300-\u036f\u1e00-\u1eff]$/,
)
export const space = matching(/^[\t-\r\u0085\p{Z}]$/u)
export const white = matching(/^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/)
export const word = matching(/^[\p{L}\p{M}\p{Nd}\p{Pc}]$/u)
export const letter = matching(/^\p{L}$/u)
export const punctuation = matching(/^\p{P}$/u)
export const spacedLetter: In = (c) => spaced(c) && !unspaced(c)
const spaced = matching(/^(?![\0-\x7f\u3000-\u33ff\uff00-\uffef])[\p{L}\p{M}\p{Nd}]$/u)
const unspaced = matching(
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Yi}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Javanese}\p{Script=Balinese}]$/u,
)

// opening reports whether a word may begin after a character.
export const opening: In = (c) => c === '' || white(c) || /^[\ufeff\p{Ps}\p{Pi}"']$/u.test(c)
