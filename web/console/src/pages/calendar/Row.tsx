import { type ReactNode, useEffect, useRef, useState } from 'react'

// How far beyond what is in view an hour is drawn already.
const margin = '120px 0px'

// Row is an hour of the week. children has its cells, with their posts or without: an hour that
// isn't near what is in view is as high as it was or, before it was seen, as rem says, but has no
// posts, since those of a full week are too many for a browser to keep. first is whether it is
// drawn before anything is known of the view, and kept whether it is anyhow.
export function Row({
  quiet,
  rem,
  first,
  kept,
  children,
}: {
  quiet: boolean
  rem: number
  first: boolean
  kept: boolean
  children: (drawn: boolean) => ReactNode
}) {
  const row = useRef<HTMLDivElement>(null)
  const [near, setNear] = useState(first)
  const [left, setLeft] = useState<{ rem: number; height: number } | null>(null)
  const drawn = near || kept
  const now = useRef({ rem, drawn })
  useEffect(() => {
    now.current = { rem, drawn }
  })
  useEffect(() => {
    const watch = new IntersectionObserver(
      (all) => {
        const { isIntersecting, boundingClientRect } = all.at(-1)!
        if (!isIntersecting && now.current.drawn) setLeft({ rem: now.current.rem, height: boundingClientRect.height })
        setNear(isIntersecting)
      },
      { root: row.current!.parentElement, rootMargin: margin },
    )
    watch.observe(row.current!)
    return () => watch.disconnect()
  }, [])
  const height = left?.rem === rem ? `${left.height}px` : `${rem}rem`
  return (
    <div ref={row} role="row" className={`hourrow ${quiet ? 'quiet' : ''}`} style={drawn || quiet ? undefined : { minHeight: height }}>
      {children(drawn)}
    </div>
  )
}
