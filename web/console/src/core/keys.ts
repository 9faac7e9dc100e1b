import { useEffect, useRef, useSyncExternalStore } from 'react'

// A Binding is what a key, or two one after the other ("g i"), does on a page.
export type Binding = { keys: string; label: string; group?: string; run: () => void; off?: boolean }

const layers: { current: Binding[] }[] = []
const watchers = new Set<() => void>()
let enabled = localStorage.getItem('keys') !== 'off'
let prefix = ''
let timer: ReturnType<typeof setTimeout>

function changed() {
  for (const w of watchers) w()
}

// shortcuts says whether single keys do anything, and remembers what the person chose.
export const shortcuts = {
  enabled: () => enabled,
  set(on: boolean) {
    enabled = on
    localStorage.setItem('keys', on ? 'on' : 'off')
    changed()
  },
  all: () => layers.flatMap((l) => l.current).filter((b) => !b.off),
}

// useShortcuts returns whether shortcuts are on, and renders again when that changes.
export const useShortcuts = () =>
  useSyncExternalStore(
    (fn) => {
      watchers.add(fn)
      return () => void watchers.delete(fn)
    },
    () => enabled,
  )

// useKeys binds keys while a component is mounted. The newest binding of a key wins.
export function useKeys(bindings: Binding[]) {
  const layer = useRef(bindings)
  useEffect(() => {
    layer.current = bindings
  })
  useEffect(() => {
    layers.push(layer)
    return () => void layers.splice(layers.indexOf(layer), 1)
  }, [])
}

const writing = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select'))

// name returns a key as bindings write it: "Shift+A", "Ctrl+K", "?", "j".
function name(e: KeyboardEvent) {
  const parts = [
    e.ctrlKey || e.metaKey ? 'Ctrl' : '',
    e.altKey ? 'Alt' : '',
    e.shiftKey && (e.key.length > 1 || /\p{Lu}/u.test(e.key)) ? 'Shift' : '',
  ].filter(Boolean)
  return [...parts, e.key === ' ' ? 'Space' : e.key].join('+')
}

function press(e: KeyboardEvent) {
  if (e.defaultPrevented || e.isComposing || ['Shift', 'Control', 'Alt', 'Meta'].includes(e.key)) return
  const key = name(e)
  const chord = /^(Ctrl|Alt)\+/.test(key)
  if (!chord && (!enabled || writing(e.target))) return
  if (document.querySelector('dialog[open]:not(.drawer)') && !chord) return
  const all = layers
    .flatMap((l) => l.current)
    .filter((b) => !b.off)
    .reverse()
  const wanted = prefix ? `${prefix} ${key}` : key
  const found = all.find((b) => b.keys === wanted) ?? (prefix ? all.find((b) => b.keys === key) : undefined)
  prefix = ''
  if (found) {
    e.preventDefault()
    found.run()
  } else if (all.some((b) => b.keys.startsWith(`${key} `))) {
    e.preventDefault()
    prefix = key
    clearTimeout(timer)
    timer = setTimeout(() => (prefix = ''), 1500)
  }
}

addEventListener('keydown', press)
