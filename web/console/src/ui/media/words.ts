import { locale } from '../../core/format'
import { inWords, table } from '../../core/table'
import { unknown } from '../status'
import type { Tone } from '../parts'
import type { MediaKind, MediaStatus } from '../../__generated__/MediaGrid_list.graphql'

export const kindName = table<MediaKind, string>({ IMAGE: 'Picture', ANIMATION: 'GIF', VIDEO: 'Video' }, inWords)

export const mediaState = table<MediaStatus, [string, Tone]>(
  { PROCESSING: ['Being examined', 'live'], READY: ['Ready', 'ok'], FAILED: ['Unusable', 'bad'] },
  unknown,
)

// longestAlt is the service's limit of an alt text, in characters.
export const longestAlt = 4086

const sizes = ['byte', 'kilobyte', 'megabyte', 'gigabyte'].map(
  (unit) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: unit === 'byte' ? 'long' : 'short', maximumSignificantDigits: 3 }),
)

// sizeOf returns a number of bytes: "2.4 MB".
export function sizeOf(bytes: number) {
  const n = Math.min(3, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  return sizes[n]!.format(bytes / 1000 ** n)
}
