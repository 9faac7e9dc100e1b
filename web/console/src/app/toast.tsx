import { useEffect, useSyncExternalStore } from 'react'

// A toast that stays is there until it is dismissed.
type Toast = { id: number; text: string; tone?: 'bad'; stays?: boolean; action?: { label: string; run: () => void } }

let toasts: Toast[] = []
let last = 0
const watchers = new Set<() => void>()

function set(next: Toast[]) {
  toasts = next
  for (const w of watchers) w()
}

// toast shows a message for some seconds, and returns its id. Readers hear it at once.
export function toast(text: string, options: Omit<Toast, 'id' | 'text'> = {}) {
  set([...toasts.slice(-2), { id: ++last, text, ...options }])
  return last
}

export const dismiss = (id: number) => set(toasts.filter((t) => t.id !== id))

function watch(fn: () => void) {
  watchers.add(fn)
  return () => void watchers.delete(fn)
}

export function Toasts() {
  const shown = useSyncExternalStore(watch, () => toasts)
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map((t) => (
        <One key={t.id} toast={t} />
      ))}
    </div>
  )
}

function One({ toast: t }: { toast: Toast }) {
  useEffect(() => {
    if (t.stays) return
    const timer = setTimeout(() => dismiss(t.id), t.tone === 'bad' ? 12_000 : 7000)
    return () => clearTimeout(timer)
  }, [t])
  return (
    <div className={`toast ${t.tone ?? ''}`}>
      <span className="grow">{t.text}</span>
      {t.action && (
        <button
          type="button"
          onClick={() => {
            dismiss(t.id)
            t.action?.run()
          }}
        >
          {t.action.label}
        </button>
      )}
      <button type="button" className="x" aria-label="Dismiss" onClick={() => dismiss(t.id)}>
        ✕
      </button>
    </div>
  )
}
