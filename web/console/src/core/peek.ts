// A Peek is a post that is looked at over the page, and the list that it was opened from. Its times
// are in zone; in its mission's without one.
export type Peek = { id: string; ids: readonly string[]; zone?: string }

let shown: Peek | null = null
const watchers = new Set<() => void>()

// peek is the post that is looked at; null if none is.
export const peek = {
  get: () => shown,
  set(next: Peek | null) {
    shown = next
    for (const w of watchers) w()
  },
  watch(fn: () => void) {
    watchers.add(fn)
    return () => void watchers.delete(fn)
  },
}
