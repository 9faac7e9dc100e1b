import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'wouter'
import { Icon, type IconName } from './icons'

type Look = { look?: 'plain' | 'primary' | 'quiet' | 'danger' | 'danger primary'; icon?: IconName; big?: boolean; shortcut?: string }

function classes({ look = 'plain', big }: Look, extra?: string) {
  return ['btn', look === 'plain' ? '' : look, big ? 'big' : '', extra ?? ''].filter(Boolean).join(' ')
}

// Button is a button with a label. busy keeps its focus and its place while what
// it started runs: it is disabled for readers and pointers, not for focus.
export function Button({
  look,
  icon,
  big,
  shortcut,
  busy,
  children,
  className,
  onClick,
  ...rest
}: Look & ComponentProps<'button'> & { busy?: boolean }) {
  return (
    <button
      type="button"
      {...rest}
      className={classes({ look, big }, className)}
      aria-disabled={busy || undefined}
      onClick={busy ? (e) => e.preventDefault() : onClick}
      aria-keyshortcuts={shortcut}
    >
      {icon && <Icon name={icon} />}
      {children}
      {shortcut && <Kbd>{shortcut}</Kbd>}
    </button>
  )
}

// IconButton is a button whose label is only read aloud and shown as its title.
export function IconButton({ icon, label, className, ...rest }: { icon: IconName; label: string } & ComponentProps<'button'>) {
  return (
    <button type="button" {...rest} className={`btn quiet icon ${className ?? ''}`} aria-label={label} title={label}>
      <Icon name={icon} />
    </button>
  )
}

// LinkButton is a link that looks like a button.
export function LinkButton({ href, look, icon, big, children }: Look & { href: string; children: ReactNode }) {
  return (
    <Link href={href} className={classes({ look, big })}>
      {icon && <Icon name={icon} />}
      {children}
    </Link>
  )
}

// Kbd shows a key; readers learn it from aria-keyshortcuts.
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="kbd" aria-hidden="true">
      {children}
    </kbd>
  )
}
