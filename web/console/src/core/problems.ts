import { useState } from 'react'
import { ApiError } from './errors'

// Problems are what is wrong with a form, by the field's path in the input; "" is what is about no field.
export type Problems = Readonly<Record<string, string>>

// saidBy returns the problems that the service named.
export function saidBy(e: Error): Problems {
  if (!(e instanceof ApiError)) return { '': e.message }
  const all = e.problems ?? [{ path: e.param ?? '', message: e.message }]
  return Object.fromEntries(all.map((p) => [pathOf(p.path), p.message]))
}

// pathOf returns a path as forms call their fields: constraints.postsPerDay.
const pathOf = (path: string) => path.replace(/^input\./, '').replace(/_([a-z])/g, (_, c: string) => c.toUpperCase())

// useProblems keeps what is wrong with a form that has the given fields: of returns what is wrong with one
// or with a part of it, and rest what is about none of them.
export function useProblems(...fields: string[]) {
  const [said, say] = useState<Problems>({})
  const about = (field: string, path: string) => path === field || (path.startsWith(field) && /[.[]/.test(path[field.length]!))
  return {
    of: (field: string) => Object.entries(said).find(([path]) => about(field, path))?.[1] ?? null,
    rest: Object.entries(said).flatMap(([path, message]) => (fields.some((f) => about(f, path)) ? [] : message)),
    say,
    clear: () => say({}),
    failed: (e: Error) => (say(saidBy(e)), true),
  }
}
