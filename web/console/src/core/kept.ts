import { useEffect, useRef, useState } from 'react'
import { toast } from './toast'

// What a person types is kept by the tab, under a name, until it is sent or discarded:
// whatever takes the form away, and a reload, takes no text with it.

// kept returns the value that is kept under a name; null if there is none.
export function kept<T>(name: string): T | null {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? 'null') as T | null
  } catch {
    return null
  }
}

// keep keeps a value, or with null forgets it. Without room it isn't kept.
export function keep<T>(name: string, value: T | null) {
  try {
    if (value === null) sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, JSON.stringify(value))
  } catch {
    // the tab has no room left, or no storage
  }
}

// useUnsaved says where a text is if its form goes away; "" is no text. It returns what is
// called before a form goes away whose text was sent or discarded.
export function useUnsaved(text: string) {
  const latest = useRef(text)
  const settled = useRef(false)
  useEffect(() => {
    latest.current = text
  })
  useEffect(
    () => () => {
      const left = latest.current
      if (left && !settled.current) toast('The text you were writing isn’t saved. It is kept in this tab.', { stays: true, action: { label: 'Copy', run: () => void navigator.clipboard.writeText(left) } })
    },
    [],
  )
  return () => {
    settled.current = true
  }
}

// useKept is a form's value that is kept as long as it has a text. sent is called before
// the form goes away to be sent, when its value is kept until there is an answer, and
// forget before one that was sent or discarded does.
export function useKept<T>(name: string, first: () => T, textOf: (value: T) => string) {
  const [value, set] = useState(first)
  const text = textOf(value).trim()
  const sent = useUnsaved(text)
  const forgotten = useRef(false)
  useEffect(() => {
    if (!forgotten.current) keep(name, text ? value : null)
  })
  const forget = () => {
    forgotten.current = true
    sent()
    keep(name, null)
  }
  return { value, set, typed: text !== '', sent, forget }
}
