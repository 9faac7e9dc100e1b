import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { layers } from '../core/layers'
import { IconButton } from './button'
import { Choices } from './menu'
import { Note } from './parts'

type Props = {
  title: ReactNode
  about?: ReactNode
  onClose: () => void
  footer?: ReactNode
  children?: ReactNode
  // wide and wider are for two columns, drawer for a panel at the right edge, where single keys do what they
  // do on a page.
  kind?: 'wide' | 'wider' | 'drawer'
  // onSubmit makes the dialog's content a form, which Ctrl+Enter sends too.
  onSubmit?: () => void
  // asks is whether something typed is lost with the dialog: it asks before Escape, a click beside it or its cross closes it.
  asks?: boolean
}

// sendByKey sends a form by Ctrl+Enter, from any of its fields.
export function sendByKey(e: KeyboardEvent<HTMLFormElement>) {
  if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) e.currentTarget.requestSubmit()
}

// Dialog is a modal dialog: render it to open it. The browser keeps the focus within
// it, and gives it back to where it was; it begins on what has data-first, or the first field.
export function Dialog({ title, about, onClose, footer, children, kind, onSubmit, asks }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  const drawer = kind === 'drawer'
  const [asked, setAsked] = useState(false)
  const close = () => (asks ? setAsked(!asked) : onClose())
  useEffect(() => {
    const dialog = ref.current
    const before = document.activeElement
    if (dialog && !dialog.open) dialog.showModal()
    const leave = dialog && layers.add(dialog)
    const find = (selector: string) => dialog?.querySelector<HTMLElement>(`.body ${selector}`)
    const field = drawer ? null : (find('[data-first]') ?? find(':is(input, textarea, select)'))
    ;(field ?? dialog?.querySelector<HTMLElement>('h2'))?.focus()
    return () => {
      leave?.()
      dialog?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [drawer])
  const parts = (
    <>
      <header role="presentation">
        <div>
          <h2 id={id} tabIndex={-1}>
            {title}
          </h2>
          {about && <p className="muted small">{about}</p>}
        </div>
        <IconButton icon="x" label="Close" onClick={close} />
      </header>
      <div className="body">
        {children}
        {asks && asked && (
          <div role="alert">
            <Note tone="warn" actions={<Choices no="Discard it" yes="Keep it" onNo={onClose} onYes={() => setAsked(false)} />}>
              Discard what you typed? A secret isn’t kept.
            </Note>
          </div>
        )}
      </div>
      {footer && <footer role="presentation">{footer}</footer>}
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
        close()
      }}
      // A browser lets a dialog keep itself open only once: the next Escape is for it alone.
      onKeyDown={(e) => {
        if (e.key !== 'Escape' || !asks) return
        e.preventDefault()
        close()
      }}
      onPointerDown={(e) => {
        if (e.target === e.currentTarget && outside(e.currentTarget, e.clientX, e.clientY)) close()
      }}
    >
      {onSubmit ? (
        <form
          className="contents"
          noValidate
          onKeyDown={sendByKey}
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
