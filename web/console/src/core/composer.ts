// What the composer is opened with: a time and the zone that it is meant in, and a mission.
export type Opened = { at?: number; zone?: string; mission?: string | null }

let opened: Opened | null = null
const watchers = new Set<() => void>()

function set(next: Opened | null) {
  opened = next
  for (const w of watchers) w()
}

// composer is the dialog in which posts are written, above whatever page is shown.
export const composer = {
  get: () => opened,
  open: (o: Opened = {}) => set(o),
  close: () => set(null),
  watch(fn: () => void) {
    watchers.add(fn)
    return () => void watchers.delete(fn)
  },
}
