import { useEffect } from 'react'

// useTitle names the page in the browser's tab, and for readers.
export function useTitle(title: string) {
  useEffect(() => {
    document.title = title ? `${title} · missiond` : 'missiond'
  }, [title])
}
