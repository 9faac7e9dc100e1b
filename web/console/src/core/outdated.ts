import { toast } from './toast'

// Outdated is the error of a page whose service was updated since it was opened: the
// service no longer has one of its documents.
export class Outdated extends Error {
  override name = 'Outdated'
  constructor() {
    super('There is a new version. Reload the page. Your change wasn’t saved.')
  }
}

// Vite tells of each file of the page that couldn't be loaded: it is one of an older build, which
// the service no longer has, or the service can't be reached.
const missing = new WeakSet<Error>()
addEventListener('vite:preloadError', (e) => void missing.add(e.payload))

// isMissing reports whether a file of the page couldn't be loaded. Only loading the page again
// asks for it anew.
export const isMissing = (error: Error) => missing.has(error)

// answers reports whether the service has a file that couldn't be loaded: 'there', 'gone', or null
// while the service can't be reached. A browser that doesn't name the file can't know more than
// that the service is back.
export async function answers(error: Error): Promise<'there' | 'gone' | null> {
  const file = /(https?:\/\/|\/console\/)\S+/.exec(error.message)?.[0]
  const response = await fetch(file ?? '/console/', { cache: 'no-store' }).catch(() => null)
  if (!response || response.status >= 500) return null
  return file && response.ok ? 'there' : 'gone'
}

// isUnknownDocument reports whether the service refused a document since it doesn't have it.
export const isUnknownDocument = (error?: { extensions?: { param?: string } }) => error?.extensions?.param === 'extensions.persistedQuery'

export const reload = { label: 'Reload', run: () => location.reload() }

let told = false

// tell says, once, that there is a new version.
export function tell() {
  if (told) return
  told = true
  toast('There is a new version. This page is no longer updated.', { action: reload, stays: true })
}
