import { useEffect, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { layers } from '../core/layers'
import { dismiss, type Toast, toasts } from '../core/toast'

// Toasts shows what is to be said, above every page and dialog.
export function Toasts() {
  const shown = useSyncExternalStore(toasts.watch, toasts.get)
  const top = useSyncExternalStore(layers.watch, layers.top)
  return createPortal(
    <div className="toasts" role="status" aria-live="polite">
      {shown.map((t) => (
        <One key={t.id} toast={t} />
      ))}
    </div>,
    top,
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
