import { startTransition, useEffect, useOptimistic, useState } from 'react'
import { useLocation, useSearch } from 'wouter'

// useSearchState is the address's search as state: a change within a transition leaves the page, and where the
// focus is, until what it asks for is there.
export function useSearchState() {
  const [search, set] = useState(location.search)
  useEffect(() => {
    const changed = () => set(location.search)
    changed()
    const events = ['popstate', 'pushState', 'replaceState']
    for (const e of events) addEventListener(e, changed)
    return () => {
      for (const e of events) removeEventListener(e, changed)
    }
  }, [])
  return search
}

// useFilters returns the filters in a page's address: params, by which it is read, shown, which a person has just
// chosen, and a function that changes some of them.
export function useFilters(path: string) {
  const search = useSearch()
  const [, go] = useLocation()
  const [latest, show] = useOptimistic(search)
  const shown = new URLSearchParams(latest)
  const set = (change: Record<string, string | null>) => {
    for (const [k, v] of Object.entries(change)) v ? shown.set(k, v) : shown.delete(k)
    startTransition(() => {
      show(`${shown}`)
      go(`${path}${shown.size ? `?${shown}` : ''}`, { replace: true })
    })
  }
  return { params: new URLSearchParams(search), shown, set }
}
