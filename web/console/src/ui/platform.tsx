import type { Platform } from '../core/enums'
import type { Json } from '../core/json'
import { inWords, table } from '../core/table'

// What platforms are called, and the console's own marks for them.
const platforms = table<Platform, { name: string; color: string; path: string }>(
  {
    TWITTER: { name: 'X', color: '#16181c', path: 'M4 3.5 12 12.5M12 3.5 4 12.5' },
    LINKEDIN: { name: 'LinkedIn', color: '#0a5fae', path: 'M4.5 7v5M4.5 4.3v.01M7.5 12V7M7.5 9.3c0-1.4.8-2.3 2-2.3s2 .8 2 2.3V12' },
    FACEBOOK: { name: 'Facebook', color: '#1765cc', path: 'M10.5 4H10a2 2 0 0 0-2 2v7M6 8.5h4' },
    INSTAGRAM: {
      name: 'Instagram',
      color: '#b02a6b',
      path: 'M4 6a2 2 0 0 1 2-2h4a2 2 0 0 1 2 2v4a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2zM9.8 8a1.8 1.8 0 1 1-3.6 0 1.8 1.8 0 0 1 3.6 0',
    },
    THREADS: {
      name: 'Threads',
      color: '#2b2b2e',
      path: 'M11.5 6C11 4.5 9.8 3.8 8 3.8c-2.5 0-3.8 1.7-3.8 4.2S5.5 12.2 8 12.2c2 0 3.3-1 3.3-2.5S10 7.5 8.3 7.5 6 8.3 6 9.2s.8 1.3 1.7 1.3C9 10.5 9.7 9.5 9.7 8',
    },
    TIKTOK: { name: 'TikTok', color: '#1f2023', path: 'M8.8 3.5v6.3a2.2 2.2 0 1 1-2-2.2M8.8 4c.4 1.5 1.4 2.3 2.9 2.4' },
    YOUTUBE: { name: 'YouTube', color: '#c4221c', path: 'm6.8 5.5 4 2.5-4 2.5z' },
    PINTEREST: {
      name: 'Pinterest',
      color: '#b3152a',
      path: 'M7.5 7.5 6.3 12.5M6 9.3C5 8 5.4 4.5 8.3 4.5c2.3 0 3.2 1.6 2.7 3.4-.5 1.9-2.6 2.4-3.5 1.2',
    },
    MASTODON: { name: 'Mastodon', color: '#5b4bd1', path: 'M4.5 11V6.5C4.5 5 7.5 4.5 8 6.5c.5-2 3.5-1.5 3.5 0V11M8 6.5V9' },
    BLUESKY: {
      name: 'Bluesky',
      color: '#0b63d6',
      path: 'M8 8C7 6 5.3 4.5 4 4.3c-.7 3 .6 4.4 2.3 4.5-1.7.3-2 1.7-.8 2.7C6.8 12.5 7.6 10.5 8 9.5c.4 1 1.2 3 2.5 2 1.2-1 .9-2.4-.8-2.7 1.7-.1 3-1.5 2.3-4.5C10.7 4.5 9 6 8 8',
    },
    TELEGRAM: { name: 'Telegram', color: '#1f7fb8', path: 'M3.5 8 12.5 4 11 12.5 7.5 9.8zM7.5 9.8l5-5.8' },
    DISCORD: {
      name: 'Discord',
      color: '#4853c4',
      path: 'M4 11.5C3.6 9 4 6.5 5 4.8c2-.9 4-.9 6 0 1 1.7 1.4 4.2 1 6.7M6.5 8.4v.01M9.5 8.4v.01M5.5 10.8c1.6.7 3.4.7 5 0',
    },
    WORDPRESS: { name: 'WordPress', color: '#2a6683', path: 'M3.5 5l2.3 6.5L8 5.5l2.2 6L12.5 5' },
    GHOST: { name: 'Ghost', color: '#25282b', path: 'M4.5 12.5V7a3.5 3.5 0 0 1 7 0v5.5l-1.8-1.3L8 12.5l-1.7-1.3zM6.7 7v.01M9.3 7v.01' },
  },
  (p) => ({ name: inWords(p), color: '#5c5f66', path: 'M13 8A5 5 0 1 1 3 8a5 5 0 0 1 10 0' }),
)

export const platformName = (p: string) => platforms(p).name

// platformOf returns the platform of a name in an address; null if it is none.
export const platformOf = (name: string | null): Platform | null => (name && platforms.has(name) ? name : null)

// platformIn returns the platform that an event's data names; null for none, and for all.
export const platformIn = (data: Json) =>
  typeof data.platform === 'string' && data.platform !== 'all' ? data.platform.toUpperCase() : null

// PlatformMark is a platform's mark. Its name, and about, is read aloud unless quiet is set, where
// the name stands beside it.
export function PlatformMark({ platform, about, big, quiet }: { platform: string; about?: string; big?: boolean; quiet?: boolean }) {
  const { name: short, color, path } = platforms(platform)
  const name = about ? `${short}, ${about}` : short
  const size = big ? 20 : 15
  return (
    <span
      className={`mark ${big ? 'big' : ''}`}
      style={{ background: color }}
      title={quiet ? undefined : name}
      role={quiet ? undefined : 'img'}
      aria-label={quiet ? undefined : name}
      aria-hidden={quiet || undefined}
    >
      <svg
        width={size}
        height={size}
        viewBox="0 0 16 16"
        fill="none"
        stroke="currentColor"
        strokeWidth={1.7}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        <path d={path} />
      </svg>
    </span>
  )
}
