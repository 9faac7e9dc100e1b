import { dismiss, toast } from './toast'

// How many changes wait for the service to answer.
let waiting = 0
let said: number | undefined

const ask = (e: BeforeUnloadEvent) => e.preventDefault()

// saving reports whether a change waits, which loading the page again would lose.
export const saving = () => waiting > 0

// unsaved says that a change isn't saved yet, and has the browser ask before the tab is closed.
// It returns what is called once there is an answer.
export function unsaved() {
  if (waiting++ === 0) {
    said = toast(
      'The service doesn’t answer. Your change isn’t saved yet: it is kept in this tab, and sent again until the service answers.',
      { stays: true },
    )
    addEventListener('beforeunload', ask)
  }
  return () => {
    if (--waiting > 0) return
    dismiss(said!)
    removeEventListener('beforeunload', ask)
  }
}
