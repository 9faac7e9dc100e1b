import { type ReactNode, useEffect, useId, useRef } from 'react'
import { IconButton } from './button'

type Props = {
  title: ReactNode
  about?: ReactNode
  onClose: () => void
  footer?: ReactNode
  children?: ReactNode
  // wide is for two columns, drawer for a panel at the right edge.
  kind?: 'wide' | 'drawer'
  // onSubmit makes the dialog's content a form, which Ctrl+Enter sends too.
  onSubmit?: () => void
}

// Dialog is a modal dialog: render it to open it. The browser keeps the focus within
// it, and gives it back to where it was.
export function Dialog({ title, about, onClose, footer, children, kind, onSubmit }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = ref.current
    const before = document.activeElement
    if (dialog && !dialog.open) dialog.showModal()
    const field = dialog?.querySelector<HTMLElement>('.body input, .body textarea, .body select')
    ;(field ?? dialog?.querySelector<HTMLElement>('h2'))?.focus()
    return () => {
      dialog?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  const parts = (
    <>
      <header>
        <div>
          <h2 id={id} tabIndex={-1}>
            {title}
          </h2>
          {about && <p className="muted small">{about}</p>}
        </div>
        <IconButton icon="x" label="Close" onClick={onClose} />
      </header>
      <div className="body">{children}</div>
      {footer && <footer>{footer}</footer>}
    </>
  )
  return (
    <dialog
      ref={ref}
      className={`dialog ${kind ?? ''}`}
      aria-labelledby={id}
      onCancel={(e) => {
        if (e.target !== e.currentTarget) return
        e.preventDefault()
        onClose()
      }}
      onPointerDown={(e) => {
        if (e.target === e.currentTarget && outside(e.currentTarget, e.clientX, e.clientY)) onClose()
      }}
    >
      {onSubmit ? (
        <form
          className="contents"
          noValidate
          onKeyDown={(e) => {
            if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) e.currentTarget.requestSubmit()
          }}
          onSubmit={(e) => {
            e.preventDefault()
            onSubmit()
          }}
        >
          {parts}
        </form>
      ) : (
        parts
      )}
    </dialog>
  )
}

function outside(dialog: HTMLElement, x: number, y: number) {
  const r = dialog.getBoundingClientRect()
  return x < r.left || x > r.right || y < r.top || y > r.bottom
}
