import { type ReactNode, useEffect, useState } from 'react'
import { Icon, type IconName } from './icons'

// Empty says what a place is for, and what to do so that it isn't empty. It may be the
// whole page.
export function Empty({
  icon,
  title,
  children,
  actions,
  page,
}: {
  icon: IconName
  title: string
  children?: ReactNode
  actions?: ReactNode
  page?: boolean
}) {
  const Heading = page ? 'h1' : 'h2'
  return (
    <div className="empty">
      <span className="glyph">
        <Icon name={icon} size={20} />
      </span>
      <Heading>{title}</Heading>
      {children && <p>{children}</p>}
      {actions && <div className="actions">{actions}</div>}
    </div>
  )
}

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'violet' | 'live' | ''

export function Badge({ tone = '', plain, children }: { tone?: Tone; plain?: boolean; children: ReactNode }) {
  return <span className={`badge ${tone === 'live' ? 'info live' : tone} ${plain ? 'plain' : ''}`}>{children}</span>
}

// Meter is a share of a whole; second is a further share, drawn lighter.
export function Meter({
  label,
  value,
  second = 0,
  max,
  tone = '',
  text,
}: {
  label: string
  value: number
  second?: number
  max: number
  tone?: Tone
  text?: string
}) {
  const share = (v: number) => `${max > 0 ? Math.min(100, Math.max(0, (100 * v) / max)) : 0}%`
  return (
    <div
      className={`meter ${tone}`}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
      aria-valuetext={text}
    >
      {second > 0 && <span className="second" style={{ width: share(value + second) }} />}
      <span style={{ width: share(value) }} />
    </div>
  )
}

export function Note({
  tone = 'info',
  children,
  actions,
}: {
  tone?: 'info' | 'warn' | 'bad' | 'ok'
  children: ReactNode
  actions?: ReactNode
}) {
  return (
    <div className={`note ${tone}`}>
      <Icon name={tone === 'info' ? 'info' : tone === 'ok' ? 'check' : 'warn'} />
      <div className="grow">{children}</div>
      {actions}
    </div>
  )
}

export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div className="stack" aria-hidden="true">
      {Array.from({ length: lines }, (_, i) => (
        <div key={i} className="skeleton" style={{ width: `${92 - ((i * 17) % 40)}%` }} />
      ))}
    </div>
  )
}

// Loading is a page that is still to come.
export function Loading() {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 4000)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="page">
      <Skeleton lines={6} />
      <p role="status" className="small muted">
        {late && 'This takes longer than usual. The page comes by itself once the service answers.'}
      </p>
    </div>
  )
}

// Card is a titled box. Its body has padding unless rows is set.
export function Card({
  title,
  aside,
  rows,
  children,
  id,
}: {
  title?: ReactNode
  aside?: ReactNode
  rows?: boolean
  children: ReactNode
  id?: string
}) {
  return (
    <section className="card" id={id}>
      {title && (
        <header>
          <h2>{title}</h2>
          {aside}
        </header>
      )}
      <div className={rows ? 'rows' : 'body'}>{children}</div>
    </section>
  )
}

// Avatar is the first letters of a name.
export function Avatar({ name }: { name: string }) {
  const letters = name
    .split(/[\s@._-]+/)
    .filter(Boolean)
    .slice(0, 2)
    .map((w) => [...w][0]?.toUpperCase())
    .join('')
  return (
    <span className="avatar" aria-hidden="true">
      {letters || '?'}
    </span>
  )
}

// PageHead is the top of a page: its one h1, what it is about, and its actions.
export function PageHead({
  title,
  about,
  actions,
  above,
}: {
  title: ReactNode
  about?: ReactNode
  actions?: ReactNode
  above?: ReactNode
}) {
  return (
    <header className="head">
      <div className="grow">
        {above}
        <h1 tabIndex={-1}>{title}</h1>
        {about && <div className="muted small row wrap">{about}</div>}
      </div>
      {actions && <div className="row wrap actions">{actions}</div>}
    </header>
  )
}
