import { type DragEvent, useEffect, useRef, useState } from 'react'

// useFiles returns what makes a place one onto which files are dropped, and whether some are above
// it. Files that are pasted while it is shown are taken too.
export function useFiles(take: (files: File[]) => void, off: boolean) {
  const [over, setOver] = useState(false)
  const latest = useRef(take)
  useEffect(() => {
    latest.current = take
  })
  useEffect(() => {
    if (off) return
    const paste = (e: ClipboardEvent) => {
      const files = [...(e.clipboardData?.files ?? [])]
      if (files.length === 0) return
      e.preventDefault()
      latest.current(files)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [off])
  const drag = (e: DragEvent) => {
    if (off || !e.dataTransfer.types.includes('Files')) return
    e.preventDefault()
    setOver(true)
  }
  const place = {
    onDragEnter: drag,
    onDragOver: drag,
    onDragLeave: (e: DragEvent) => {
      if (!e.currentTarget.contains(e.relatedTarget as Node | null)) setOver(false)
    },
    onDrop: (e: DragEvent) => {
      setOver(false)
      if (off || e.dataTransfer.files.length === 0) return
      e.preventDefault()
      latest.current([...e.dataTransfer.files])
    },
  }
  return [place, over] as const
}
