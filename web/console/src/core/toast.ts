// A toast that stays is there until it is dismissed.
export type Toast = { id: number; text: string; tone?: 'bad'; stays?: boolean; action?: { label: string; run: () => void } }

let shown: Toast[] = []
let last = 0
const watchers = new Set<() => void>()

function set(next: Toast[]) {
  shown = next
  for (const w of watchers) w()
}

// toast shows a message for some seconds, and returns its id. Readers hear it at once.
export function toast(text: string, options: Omit<Toast, 'id' | 'text'> = {}) {
  set([...shown.slice(-2), { id: ++last, text, ...options }])
  return last
}

export const dismiss = (id: number) => set(shown.filter((t) => t.id !== id))

// toasts are those that are shown.
export const toasts = {
  get: () => shown,
  watch(fn: () => void) {
    watchers.add(fn)
    return () => void watchers.delete(fn)
  },
}
