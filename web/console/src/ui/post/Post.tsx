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
  // about is beside the name: when it goes out, or a link to it.
  about?: ReactNode
}

// Where feeds cut a text and offer the rest.
const folds: Partial<Record<Platform, number>> = { LINKEDIN: 210, INSTAGRAM: 125, FACEBOOK: 477, TIKTOK: 90 }

// Post shows a post as its platform does: its links shortened, its parts in a chain.
export function Post({ platform, handle, parts, comment, limits, about }: Props) {
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
            {limits && <Length limits={limits} text={text} />}
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
