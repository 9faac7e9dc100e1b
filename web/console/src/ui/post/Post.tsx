import './post.css'
import type { ReactNode } from 'react'
import type { Platform } from '../../core/enums'
import { useViewer } from '../../core/session'
import type { Limits } from '../../text/length'
import { pieces } from '../../text/entities'
import { shown } from '../../text/links'
import { Icon } from '../icons'
import { Avatar } from '../parts'
import { PlatformMark, platformName } from '../platform'
import { Length } from './Length'

type Props = {
  platform: Platform
  handle: string | null
  parts: readonly string[]
  comment?: string | null
  limits?: Limits
  files?: readonly File[]
  // about is beside the name: when it goes out, or a link to it.
  about?: ReactNode
  // framed shows what the platform adds: a link's card, and the place of a file that it needs.
  framed?: boolean
  needsFile?: boolean
}

type File = {
  mediaId: string
  part: number
  kind: string
  altText: string
  width: number
  height: number
  url?: string | null
  // waits says that it isn't there yet.
  waits?: boolean
}

// Where feeds cut a text and offer the rest.
const folds: Partial<Record<Platform, number>> = { LINKEDIN: 210, INSTAGRAM: 125, FACEBOOK: 477, TIKTOK: 90 }

// Platforms that show the first link of a post without files as a card.
const cards = ['TWITTER', 'LINKEDIN', 'FACEBOOK', 'THREADS', 'MASTODON']

// Post shows a post as its platform does: its links shortened, its parts in a chain.
export function Post({ platform, handle, parts, comment, limits, files = [], about, framed, needsFile }: Props) {
  const { tenant } = useViewer()
  const several = parts.length > 1
  return (
    <article className={`post ${platform.toLowerCase()}`} aria-label={`Post on ${platformName(platform)}`}>
      {parts.map((text, i) => (
        <div key={i} className={`part ${several || comment ? 'chained' : ''}`}>
          <Avatar name={handle ?? tenant.name} />
          <div className="grow">
            <div className="row who">
              <span className="strong clip">{tenant.name}</span>
              {handle && <span className="faint clip">@{handle}</span>}
              <span className="grow" />
              {i === 0 && <span className="faint xsmall nowrap">{about}</span>}
              {several && (
                <span className="faint xsmall num nowrap" aria-label={`Part ${i + 1} of ${parts.length}`}>
                  {i + 1}/{parts.length}
                </span>
              )}
              {i === 0 && <PlatformMark platform={platform} quiet />}
            </div>
            {text ? <Text platform={platform} text={text} /> : <p className="words faint">Your text appears here.</p>}
            <Files files={files.filter((f) => f.part === i)} />
            {framed && !files.some((f) => f.part === i) && <Frame platform={platform} text={text} needsFile={needsFile} />}
            {limits && <Length limits={limits} text={text} files={files.some((f) => f.part === i)} />}
          </div>
        </div>
      ))}
      {comment && (
        <div className="part comment">
          <Avatar name={handle ?? tenant.name} />
          <div className="grow">
            <div className="row who">
              <span className="strong clip">{tenant.name}</span>
              <span className="faint xsmall row nowrap">
                <Icon name="reply" size={12} /> first comment
              </span>
            </div>
            <Text platform={platform} text={comment} />
          </div>
        </div>
      )}
    </article>
  )
}

// Files are the pictures and videos of a part, as they go out.
function Files({ files }: { files: readonly File[] }) {
  if (files.length === 0) return null
  return (
    <div className="files">
      {files.map((f) =>
        !f.url ? (
          <p key={f.mediaId} className="faint small">
            {f.waits ? 'A file that is being examined' : 'A file that isn’t there any more'}
          </p>
        ) : f.kind === 'VIDEO' ? (
          <video
            key={f.mediaId}
            src={f.url}
            width={f.width}
            height={f.height}
            controls
            preload="metadata"
            aria-label={f.altText || 'Video'}
          />
        ) : (
          <img key={f.mediaId} src={f.url} width={f.width} height={f.height} loading="lazy" alt={f.altText} />
        ),
      )}
    </div>
  )
}

// Frame is what stands in the place of files: a slot where the platform takes no post without one,
// or the card of a link.
function Frame({ platform, text, needsFile }: { platform: Platform; text: string; needsFile?: boolean }) {
  if (needsFile) return <p className="placeholder small">{platformName(platform)} needs a picture or a video.</p>
  const link = cards.includes(platform) && pieces(platform, text).find((p) => p.kind === 'link')
  if (!link) return null
  return (
    <p className="placeholder small">
      <Icon name="link" /> {shown(link.text).split('/')[0]}
      <span className="faint xsmall">The page’s title and picture</span>
    </p>
  )
}

function Text({ platform, text }: { platform: Platform; text: string }) {
  const fold = folds[platform]
  if (!fold || [...text].length <= fold)
    return (
      <p className="words" dir="auto">
        <Words platform={platform} text={text} />
      </p>
    )
  const at = text.lastIndexOf(' ', fold)
  const cut = at > fold / 2 ? at : fold
  return (
    <p className="words" dir="auto">
      <Words platform={platform} text={text.slice(0, cut)} />
      <span className="fold xsmall" title={`${platformName(platform)} shows this much before “more”`}>
        … more
      </span>
      <Words platform={platform} text={text.slice(cut)} />
    </p>
  )
}

function Words({ platform, text }: { platform: Platform; text: string }) {
  return pieces(platform, text).map((p, i) =>
    p.kind === 'text' ? (
      <span key={i}>{p.text}</span>
    ) : (
      <span key={i} className="linked" title={p.kind === 'link' ? p.text : undefined}>
        {p.kind === 'link' ? shown(p.text) : p.text}
      </span>
    ),
  )
}
