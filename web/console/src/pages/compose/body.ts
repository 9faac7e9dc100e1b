import type { ComposeQuery$data } from '../../__generated__/ComposeQuery.graphql'
import type { Platform } from '../../core/enums'
import { measure } from '../../ui/post/Length'
import type { Limits } from '../../text/length'
import type { Capabilities } from '../../text/limits'

export type Mission = NonNullable<ComposeQuery$data['active']>['edges'][number]['node']
export type Draft = NonNullable<ComposeQuery$data['postDrafts']>[number]

// A File is one of the library, with what the post says of it; null is what the library says.
export type File = { id: string; alt: string | null }

// A Part is a post, or one of a thread.
export type Part = { text: string; files: readonly File[] }

// A Body is a post as it is being written: what drafts keep.
export type Body = {
  platforms: readonly string[] // where it goes
  accounts: Readonly<Record<string, string>>
  parts: readonly Part[]
  comment: string
  own: Readonly<Record<string, readonly Part[]>> // the texts of platforms that were tailored once
  tailored: readonly string[] // those that have theirs now
  at: string | null // null is the next free slot
}

export const blank: Part = { text: '', files: [] }

export const begun = (platforms: readonly string[]): Body => ({
  platforms,
  accounts: {},
  parts: [blank],
  comment: '',
  own: {},
  tailored: [],
  at: null,
})

// bodyOf reads a draft's body; null for one that isn't known.
export function bodyOf(json: string): Body | null {
  try {
    const b = JSON.parse(json) as Body
    const sound = (parts: readonly Part[]) => parts.length > 0 && parts.every((p) => typeof p.text === 'string' && Array.isArray(p.files))
    return sound(b.parts) && Object.values(b.own).every(sound) && b.tailored.every((p) => b.own[p]) && Array.isArray(b.platforms) ? b : null
  } catch {
    return null
  }
}

const join = (parts: readonly Part[]): Part => ({
  text: parts
    .map((p) => p.text)
    .filter((t) => t.trim())
    .join('\n\n'),
  files: parts.flatMap((p) => p.files),
})

// partsFor returns what a platform gets: its own parts, or those of all, joined where there are
// no threads.
export function partsFor(b: Body, platform: string, can: Capabilities | undefined): readonly Part[] {
  if (b.tailored.includes(platform)) return b.own[platform]!
  return can?.threads || b.parts.length === 1 ? b.parts : [join(b.parts)]
}

const gap = /\n[^\S\n]*\n\s*/

// splits reports whether split finds something to split.
export const splits = (parts: readonly Part[]) => parts.some((p) => gap.test(p.text.trim()))

// split makes parts of what blank lines separate.
export const split = (parts: readonly Part[]): Part[] =>
  parts.flatMap((p) =>
    p.text
      .trim()
      .split(gap)
      .map((text, i) => ({ text, files: i === 0 ? p.files : [] })),
  )

// textOf returns all that was written.
export const textOf = (b: Body) =>
  [...b.parts, ...Object.values(b.own).flat()]
    .map((p) => p.text)
    .concat(b.comment)
    .join('\n')
    .trim()

export const isEmpty = (b: Body) => !textOf(b) && ![...b.parts, ...Object.values(b.own).flat()].some((p) => p.files.length > 0)

// wrongOf returns why a platform wouldn't take parts, as far as the page knows; null if it would.
export function wrongOf(parts: readonly Part[], limits: Limits, can: Capabilities | undefined): string | null {
  if (parts.some((p) => !p.text.trim())) return parts.length > 1 ? 'Each part needs a text.' : 'Write a text first.'
  if (parts.length > (can?.maxParts ?? Infinity)) return `A thread has at most ${can?.maxParts} parts here.`
  return parts.every((p) => measure(limits, p.text, p.files.length > 0).ok) ? null : 'The text is too long for its platform.'
}

// itemOf returns what is sent for a platform.
export function itemOf(b: Body, platform: Platform, can: Capabilities | undefined) {
  const parts = partsFor(b, platform, can)
  const media = parts.flatMap((p, part) => p.files.map((f) => ({ mediaId: f.id, altText: f.alt, part })))
  return {
    platform,
    integrationId: b.accounts[platform] ?? null,
    ...(parts.length > 1 ? { parts: parts.map((p) => p.text) } : { text: parts[0]!.text }),
    firstComment: (can?.firstComment && b.comment.trim()) || null,
    ...(media.length > 0 && { media }),
    scheduledAt: b.at,
  }
}
