import { useEffect, useRef } from 'react'

// useFocusOnPage returns the ref of the element that a page is in, and moves the focus there, and
// the top into view, when another page is opened: readers hear where they are.
export function useFocusOnPage(location: string) {
  const main = useRef<HTMLElement>(null)
  const first = useRef(true)
  const page = location.split('/')[1]
  useEffect(() => {
    if (first.current) {
      first.current = false
      return
    }
    scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [page])
  return main
}
