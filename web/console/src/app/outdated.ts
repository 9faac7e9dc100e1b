import { connection } from './socket'
import { toast } from './toast'

// Outdated is the error of a page whose service was updated since it was opened: the
// service no longer has one of its documents.
export class Outdated extends Error {
  override name = 'Outdated'
  constructor() {
    super('There is a new version: load the page again. Your change wasn’t saved.')
  }
}

// Files of an older build are gone from the service too. Vite tells of each that can't be
// loaded, which may also be because the service can't be reached.
const missing = new WeakMap<Error, 'gone' | 'unreached'>()
addEventListener('vite:preloadError', (e) => void missing.set(e.payload, navigator.onLine && connection.get() === 'connected' ? 'gone' : 'unreached'))

// isUnreached reports whether a part of the page couldn't be loaded because the service can't
// be reached. Only loading the page again tries anew.
export const isUnreached = (error: Error) => missing.get(error) === 'unreached'

// isOutdated reports whether loading the page again mends an error.
export const isOutdated = (error: Error) => error instanceof Outdated || missing.get(error) === 'gone'

// isUnknownDocument reports whether the service refused a document since it doesn't have it.
export const isUnknownDocument = (error?: { extensions?: { param?: string } }) => error?.extensions?.param === 'extensions.persistedQuery'

export const reload = { label: 'Load it', run: () => location.reload() }

let told = false

// tell says, once, that there is a new version.
export function tell() {
  if (told) return
  told = true
  toast('There is a new version. This page no longer follows what happens.', { action: reload, stays: true })
}
