import type { MouseEvent, ReactNode } from 'react'
import { Link } from 'wouter'
import { peek } from '../../core/peek'

// PostLink opens a post over the page, from where its reader goes on through ids, and its own page
// in a new tab.
export function PostLink({
  id,
  ids,
  className,
  dir,
  children,
}: {
  id: string
  ids?: readonly string[]
  className?: string
  dir?: 'auto'
  children: ReactNode
}) {
  return (
    <Link
      href={`/posts/${id}`}
      className={className}
      dir={dir}
      aria-haspopup="dialog"
      onClick={(e: MouseEvent) => {
        if (e.ctrlKey || e.metaKey || e.shiftKey || e.altKey || e.button !== 0) return
        e.preventDefault()
        peek.set({ id, ids: ids ?? [id] })
      }}
    >
      {children}
    </Link>
  )
}
