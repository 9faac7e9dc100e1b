import { useEffect, useState } from 'react'
import { readDraft, storeDraft } from './drafts'

// useEdits returns a form's values: those that were typed, and of the other fields what is
// saved now, which others may change meanwhile. The functions set a field, and forget what
// was typed once it is saved. When the tab leaves the page, as for the sign-in, what was typed is
// stored under a name until it comes back.
export function useEdits<T extends object>(name: string, saved: T): { values: T; set: (edit: Partial<T>) => void; forget: () => void } {
  const [typed, setTyped] = useState<Partial<T>>(() => readDraft(name) ?? {})
  useEffect(() => {
    storeDraft(name, null)
    const keep = () => storeDraft(name, Object.keys(typed).length > 0 ? typed : null)
    addEventListener('pagehide', keep)
    return () => removeEventListener('pagehide', keep)
  }, [name, typed])
  return { values: { ...saved, ...typed }, set: (edit) => setTyped((t) => ({ ...t, ...edit })), forget: () => setTyped({}) }
}
