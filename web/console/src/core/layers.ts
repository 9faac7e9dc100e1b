// The modal dialogs that are open, the uppermost last: the browser lets nothing outside of that one be reached.
let open: readonly HTMLElement[] = []
const watchers = new Set<() => void>()

function set(next: readonly HTMLElement[]) {
  open = next
  for (const w of watchers) w()
}

export const layers = {
  // top returns the uppermost dialog, or the page without one.
  top: () => open.at(-1) ?? document.body,
  // add takes a dialog that was opened, and returns what is called before it closes.
  add(dialog: HTMLElement) {
    set([...open, dialog])
    return () => set(open.filter((d) => d !== dialog))
  },
  watch(fn: () => void) {
    watchers.add(fn)
    return () => void watchers.delete(fn)
  },
}
