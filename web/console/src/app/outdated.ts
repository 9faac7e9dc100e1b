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
// loaded.
const missing = new WeakSet<Error>()
addEventListener('vite:preloadError', (e) => void missing.add(e.payload))

// isOutdated reports whether loading the page again mends an error.
export const isOutdated = (error: Error) => error instanceof Outdated || missing.has(error)

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
