import { createContext, use } from 'react'
import type { ShellQuery$data } from '../__generated__/ShellQuery.graphql'

export type Viewer = NonNullable<ShellQuery$data['viewer']>
export type Permission = Viewer['scopes'][number]

export const Session = createContext<Viewer | null>(null)

// useViewer returns who is signed in.
export function useViewer() {
  const viewer = use(Session)
  if (!viewer) throw new Error('bug: there is no session')
  return viewer
}

// useMay reports whether the person may do what needs a scope. The server decides: this
// only hides what it would refuse.
export function useMay(scope: Permission) {
  const { scopes } = useViewer()
  return scopes.includes('ADMIN') || scopes.includes(scope)
}
