import { useSyncExternalStore } from 'react'
import { upload } from './upload'

// Upload is a file that is being sent, or couldn't be.
export type Upload = { key: number; name: string; share: number; problem?: string }

type Begun = Upload & { file: File; stop: AbortController; done: (id: string) => void; running: boolean }

// How many files are sent at once: the service takes one more, of somebody else.
const atOnce = 3

let list: readonly Begun[] = []
let last = 0
const watchers = new Set<() => void>()

function set(next: readonly Begun[]) {
  list = next
  for (const w of watchers) w()
}

const change = (key: number, to: Partial<Begun>) => set(list.map((u) => (u.key === key ? { ...u, ...to } : u)))

const ask = (e: BeforeUnloadEvent) => e.preventDefault()

// next begins the next files. While some are under way, the browser asks before the tab is closed.
function next() {
  const left = list.filter((u) => !u.problem)
  const ready = left.filter((u) => !u.running).slice(0, Math.max(0, atOnce - left.filter((u) => u.running).length))
  for (const u of ready) void run(u)
  if (left.length > 0) addEventListener('beforeunload', ask)
  else removeEventListener('beforeunload', ask)
}

async function run({ key, file, stop, done }: Begun) {
  change(key, { running: true })
  try {
    const id = await upload(file, (share) => change(key, { share }), stop.signal)
    set(list.filter((u) => u.key !== key))
    done(id)
  } catch (e) {
    change(key, { running: false, problem: (e as Error).message })
  }
  next()
}

// uploads are the files that are being sent, whatever page is shown meanwhile.
export const uploads = {
  // add sends files; done is called with the id of each that has arrived.
  add(files: Iterable<File>, done: (id: string) => void = () => {}) {
    const added = [...files].map((file) => ({
      key: ++last,
      name: file.name,
      share: 0,
      file,
      stop: new AbortController(),
      done,
      running: false,
      problem: file.size > 0 ? undefined : 'The file is empty.',
    }))
    set([...list, ...added])
    next()
  },
  again(key: number) {
    change(key, { problem: undefined, share: 0 })
    next()
  },
  // drop stops an upload, or forgets one that failed.
  drop(key: number) {
    list.find((u) => u.key === key)?.stop.abort()
    set(list.filter((u) => u.key !== key))
    next()
  },
}

// useUploads returns the files that are being sent or couldn't be.
export const useUploads = (): readonly Upload[] =>
  useSyncExternalStore(
    (fn) => {
      watchers.add(fn)
      return () => void watchers.delete(fn)
    },
    () => list,
  )
