import { useEffect, useRef, useState } from 'react'
import { toast } from './toast'

// A draft is what a person types, stored by the tab under a name until it is sent or discarded:
// whatever takes the form away, and a reload, takes no text with it.

// readDraft returns the draft of a name; null if there is none.
export function readDraft<T>(name: string): T | null {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? 'null') as T | null
  } catch {
    return null
  }
}

// storeDraft stores a draft, or with null removes it. Without room it isn't stored.
export function storeDraft<T>(name: string, value: T | null) {
  try {
    if (value === null) sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, JSON.stringify(value))
  } catch {
    // the tab has no room left, or no storage
  }
}

// useUnsentNotice says where a text is if its form goes away; "" is no text. It returns what is
// called before a form goes away whose text was sent or discarded, or with false if it is typed in again.
export function useUnsentNotice(text: string) {
  const latest = useRef(text)
  const settled = useRef(false)
  useEffect(() => {
    latest.current = text
  })
  useEffect(
    () => () => {
      const left = latest.current
      if (left && !settled.current)
        toast('The text you were writing isn’t saved. It is kept in this tab.', {
          stays: true,
          action: { label: 'Copy', run: () => void navigator.clipboard.writeText(left) },
        })
    },
    [],
  )
  return (is = true) => {
    settled.current = is
  }
}

// useDraft is a form's value, which is stored as long as it has a text. sent is called before
// the form goes away to be sent, when its value stays stored until there is an answer, and
// forget before one that was sent or discarded does.
export function useDraft<T>(name: string, first: () => T, textOf: (value: T) => string) {
  const [value, set] = useState(first)
  const text = textOf(value).trim()
  const sent = useUnsentNotice(text)
  const forgotten = useRef(false)
  useEffect(() => {
    if (!forgotten.current) storeDraft(name, text ? value : null)
  })
  const forget = () => {
    forgotten.current = true
    sent()
    storeDraft(name, null)
  }
  return { value, set, typed: text !== '', sent, forget }
}
