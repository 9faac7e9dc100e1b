import { useState } from 'react'

// useEdits returns a form's values: those that were typed, and of the other fields what is
// saved now, which others may change meanwhile. The functions set a field, and forget what
// was typed once it is saved.
export function useEdits<T extends object>(saved: T): { values: T; set: (edit: Partial<T>) => void; forget: () => void } {
  const [typed, setTyped] = useState<Partial<T>>({})
  return { values: { ...saved, ...typed }, set: (edit) => setTyped((t) => ({ ...t, ...edit })), forget: () => setTyped({}) }
}
