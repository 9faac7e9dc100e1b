import { useEffect, useRef, useState } from 'react'
import { readDraft, storeDraft, useUnsentNotice } from './drafts'

// stringsIn returns the texts in a value.
const stringsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : value && typeof value === 'object' ? Object.values(value).flatMap(stringsIn) : []

// useEdits is a form's values: those that were typed, and of the other fields what is saved now, which others may
// change meanwhile. What was typed is stored under a name, but for secrets, until it is saved or discarded: forget is
// called then, before the form goes away.
export function useEdits<T extends object>(name: string, saved: T, ...secrets: (keyof T)[]) {
  const [typed, setTyped] = useState<Partial<T>>(() => readDraft(name) ?? {})
  const forgotten = useRef(false)
  const differs = (key: string) => JSON.stringify(typed[key as keyof T]) !== JSON.stringify(saved[key as keyof T])
  const kept = Object.entries(typed).filter(([key]) => differs(key) && !secrets.includes(key as keyof T))
  const settled = useUnsentNotice(
    stringsIn(kept.map(([, value]) => value))
      .join('\n')
      .trim(),
  )
  useEffect(() => {
    if (!forgotten.current) storeDraft(name, kept.length > 0 ? Object.fromEntries(kept) : null)
  })
  return {
    values: { ...saved, ...typed },
    typed: Object.keys(typed).some(differs),
    // secret is whether one is typed, which is lost with the form.
    secret: secrets.some((key) => typed[key]),
    set(edit: Partial<T>) {
      forgotten.current = false
      settled(false)
      setTyped((t) => ({ ...t, ...edit }))
    },
    forget() {
      forgotten.current = true
      settled()
      storeDraft(name, null)
      setTyped({})
    },
  }
}
