import { readDraft, storeDraft } from './drafts'
import { toast } from './toast'

// renew has the session's cookie renewed, and leads to the sign-in if it has ended.
export async function renew() {
  const response = await fetch('/console/session', { method: 'POST', credentials: 'same-origin' }).catch(() => null)
  if (response?.status === 401) signIn()
}

// keepSignedIn renews the session of an open page: in time, and when it is looked at
// again.
export function keepSignedIn() {
  setInterval(() => void renew(), 20 * 60_000)
  addEventListener('visibilitychange', () => document.visibilityState === 'visible' && void renew())
}

const lost = 'lost-change'
let leaving = false

// signIn leaves for the sign-in, which returns to this page. change is whether a change was refused
// for want of a session: the page then says so.
export function signIn(change = false) {
  if (change) storeDraft(lost, true)
  if (leaving) return
  leaving = true
  if (location.pathname === consent) storeDraft(request, location.search)
  location.assign(`/console/login?next=${encodeURIComponent(location.pathname + location.search)}`)
}

// The page on which somebody lets an application act for them, and the draft of what the application asks for: that may be too
// long for the way through the sign-in.
const consent = '/console/agents/authorize'
const request = 'agent-request'

// askedForAgent returns what an application asks for, as the query of an address; "" if none asks.
export const askedForAgent = () => location.search || (readDraft<string>(request) ?? '')

// forgetAgent removes what an application has asked for.
export const forgetAgent = () => storeDraft(request, null)

// sayLost says that the change before the sign-in wasn't saved.
export function sayLost() {
  if (!readDraft<boolean>(lost)) return
  storeDraft(lost, null)
  toast('Your session had ended: your last change wasn’t saved. Make it again.', { tone: 'bad', stays: true })
}
