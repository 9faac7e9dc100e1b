// Texts that a person hasn't saved yet are kept by the tab, each with the revision that it
// began with: whatever takes the editor away takes no text with it.
const key = (id: string) => `draft ${id}`

// Kept is a text that was begun, and the revision that it replaces.
export type Kept<T> = { revision: number; draft: T }

// keptDraft returns the text that was begun for a post; null if there is none.
export function keptDraft<T>(id: string): Kept<T> | null {
  try {
    return JSON.parse(sessionStorage.getItem(key(id)) ?? 'null') as Kept<T> | null
  } catch {
    return null
  }
}

// keepDraft keeps a text, or with null forgets it. Without room it isn't kept.
export function keepDraft<T>(id: string, kept: Kept<T> | null) {
  try {
    if (kept) sessionStorage.setItem(key(id), JSON.stringify(kept))
    else sessionStorage.removeItem(key(id))
  } catch {
    // the tab has no room left, or no storage
  }
}
