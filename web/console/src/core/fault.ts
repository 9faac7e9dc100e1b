import { ApiError, Offline } from './errors'
import { Outdated } from './outdated'

// Fault is an error whose words are for people; its cause is what went wrong.
export class Fault extends Error {
  override name = 'Fault'
}

const codes = new WeakMap<Error, Fault>()

// forPeople returns an error whose message can be shown. What a program says of its own errors
// can't: the person gets a code instead, which the browser's console has with the error.
export function forPeople(error: unknown): Error {
  if (error instanceof ApiError || error instanceof Offline || error instanceof Outdated || error instanceof Fault) return error
  const cause = error instanceof Error ? error : new Error(String(error))
  let fault = codes.get(cause)
  if (!fault) {
    const code = codeOf(`${cause.name} ${cause.stack ?? cause.message}`)
    fault = new Fault(`Something went wrong on this page. Reload it. If it happens again, send us this code: ${code}`, { cause })
    codes.set(cause, fault)
    console.error(`error ${code}:`, cause)
  }
  return fault
}

// codeOf returns a short code, the same for the same error of a build.
function codeOf(text: string) {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash >>> 0).toString(36).toUpperCase().padStart(7, '0')
}
