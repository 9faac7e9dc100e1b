import { useCallback, useState } from 'react'
import { commitMutation, type GraphQLTaggedNode, useRelayEnvironment } from 'react-relay'
import type { MutationParameters, SelectorStoreUpdater } from 'relay-runtime'
import { ApiError } from './errors'
import { forPeople } from './fault'
import { Outdated, reload } from './outdated'
import { environment } from './relay'
import { toast } from './toast'

type Options<M extends MutationParameters> = {
  variables: M['variables']
  optimistic?: M['rawResponse']
  optimisticUpdater?: SelectorStoreUpdater<M['response']>
  updater?: SelectorStoreUpdater<M['response']>
  done?: (response: M['response']) => void
  // failed returns whether it dealt with the error; a toast says it otherwise.
  failed?: (error: Error) => boolean
}

// useAction returns a function that runs a mutation, and whether it is running. What
// an optimistic response changed is rolled back if it fails.
export function useAction<M extends MutationParameters>(mutation: GraphQLTaggedNode) {
  const environment = useRelayEnvironment()
  const [running, setRunning] = useState(0)
  const run = useCallback(
    (o: Options<M>) => {
      setRunning((n) => n + 1)
      commitMutation<M>(environment, {
        mutation,
        variables: o.variables,
        optimisticResponse: o.optimistic as never,
        optimisticUpdater: o.optimisticUpdater,
        updater: o.updater,
        onCompleted: (response) => {
          setRunning((n) => n - 1)
          o.done?.(response)
        },
        onError: (raw) => {
          const error = forPeople(raw)
          setRunning((n) => n - 1)
          if (error instanceof Outdated) toast(error.message, { tone: 'bad', action: reload })
          else if (!o.failed?.(error)) toast(error.message, { tone: 'bad' })
        },
      })
    },
    [environment, mutation],
  )
  return [run, running > 0] as const
}

// conflicted reports whether an error says that a record has changed since.
export const conflicted = (error: Error) => error instanceof ApiError && error.code === 'conflict'

// commit runs a mutation outside of a component. Its errors are for people.
export const commit = <M extends MutationParameters>(mutation: GraphQLTaggedNode, variables: M['variables']) =>
  new Promise<M['response']>((done, failed) =>
    commitMutation<M>(environment, { mutation, variables, onCompleted: (r) => done(r), onError: (e) => failed(forPeople(e)) }),
  )
