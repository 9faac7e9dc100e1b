import type { Platform } from '../../core/enums'
import type { Limits } from '../../text/length'
import type { Capabilities } from '../../text/limits'
import { Segmented, Select } from '../../ui/field'
import { Icon } from '../../ui/icons'
import { Note } from '../../ui/parts'
import { PlatformMark, platformName } from '../../ui/platform'
import { Length, measure } from '../../ui/post/Length'
import { Post } from '../../ui/post/Post'
import { type Body, type Part, partsFor } from './body'
import { Texts } from './Texts'
import type { Media } from './useMedia'

export type Target = { platform: Platform; can: Capabilities | undefined; limits: Limits; account: string | null; problem?: string }

// Tabs are the platforms that a post goes to: each as it shows the post, with the text of all
// or its own.
export function Tabs({
  body,
  targets,
  shown,
  media,
  onShow,
  onChange,
  onOwn,
  onTurn,
  onAdd,
}: {
  body: Body
  targets: readonly Target[]
  shown: Platform
  media: ReadonlyMap<string, Media>
  onShow: (p: Platform) => void
  onChange: (change: Partial<Body>) => void
  onOwn: (p: Platform, parts: readonly Part[]) => void
  onTurn: (part: number) => void
  onAdd: (part: number) => void
}) {
  const t = targets.find((t) => t.platform === shown) ?? targets[0]
  if (!t) return null
  const { platform, can, limits } = t
  const turn = (e: React.KeyboardEvent) => {
    const at = targets.indexOf(t)
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: targets.length - 1 }[e.key]
    if (to === undefined) return
    e.preventDefault()
    const next = targets[(to + targets.length) % targets.length]!.platform
    onShow(next)
    document.getElementById(`tab-${next}`)?.focus()
  }
  const own = body.tailored.includes(platform)
  const parts = partsFor(body, platform, can)
  const name = platformName(platform)
  const accounts = can?.accounts ?? []
  return (
    <div className="stack">
      <div className="platforms" role="tablist" aria-label="Platforms" onKeyDown={turn}>
        {targets.map((o) => (
          <button
            key={o.platform}
            id={`tab-${o.platform}`}
            type="button"
            role="tab"
            aria-selected={o === t}
            aria-controls="compose-panel"
            tabIndex={o === t ? 0 : -1}
            onClick={() => onShow(o.platform)}
          >
            <PlatformMark platform={o.platform} quiet />
            <span>{platformName(o.platform)}</span>
            <Fullest parts={partsFor(body, o.platform, o.can)} limits={o.limits} />
            {o.problem && (
              <>
                <Icon name="warn" size={14} />
                <span className="hidden">has a problem</span>
              </>
            )}
          </button>
        ))}
      </div>
      <div id="compose-panel" role="tabpanel" aria-labelledby={`tab-${platform}`} className="stack">
        {t.problem && <Note tone="bad">{t.problem}</Note>}
        <Segmented
          label={`Text for ${name}`}
          value={own ? 'own' : 'same'}
          options={[
            { value: 'same', label: 'Same text' },
            { value: 'own', label: `Tailor for ${name}` },
          ]}
          onChange={(to) => {
            const rest = body.tailored.filter((p) => p !== platform)
            if (to === 'same') onChange({ tailored: rest })
            else onChange({ tailored: [...rest, platform], own: { ...body.own, [platform]: body.own[platform] ?? parts } })
          }}
        />
        {accounts.length > 1 && (
          <Select
            label="Account"
            value={body.accounts[platform] ?? ''}
            onChange={(e) => {
              const { [platform]: _, ...rest } = body.accounts
              onChange({ accounts: e.target.value ? { ...rest, [platform]: e.target.value } : rest })
            }}
          >
            <option value="">The mission’s</option>
            {accounts.map((a) => (
              <option key={a.id} value={a.id}>
                {a.label ?? a.account?.handle ?? a.id}
              </option>
            ))}
          </Select>
        )}
        {own && (
          <Texts
            of={name}
            parts={parts}
            limits={limits}
            most={can?.threads ? can.maxParts : 1}
            media={media}
            onChange={(p) => onOwn(platform, p)}
            onTurn={onTurn}
            onAdd={onAdd}
          />
        )}
        <Post
          framed
          platform={platform}
          handle={accounts.find((a) => (t.account ? a.id === t.account : a.default))?.account?.handle ?? null}
          parts={parts.map((p) => p.text)}
          comment={(can?.firstComment && body.comment) || null}
          limits={limits}
          files={parts.flatMap((p, part) => p.files.map((f) => shownFile(media.get(f.id), f.id, f.alt, part, platform)))}
          needsFile={can?.media?.required}
        />
      </div>
    </div>
  )
}

// Fullest is the length of the part that takes most of what is allowed.
function Fullest({ parts, limits }: { parts: readonly Part[]; limits: Limits }) {
  const share = (p: Part) => {
    const { n, most } = measure(limits, p.text, p.files.length > 0)
    return n / most
  }
  const full = parts.reduce((a, p) => (share(p) > share(a) ? p : a))
  return <Length limits={limits} text={full.text} files={full.files.length > 0} />
}

// shownFile returns a file as a platform is sent it: turned upright, and cropped if it must be.
function shownFile(m: Media | undefined, id: string, alt: string | null, part: number, platform: Platform) {
  const sent = m?.variants?.find((v) => v.platforms.includes(platform)) ?? m
  return {
    mediaId: id,
    part,
    kind: m?.kind ?? '',
    altText: alt ?? m?.altText ?? '',
    width: sent?.width ?? 0,
    height: sent?.height ?? 0,
    url: sent?.url,
    waits: !m || m.status === 'PROCESSING',
  }
}
