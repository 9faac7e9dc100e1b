import { useEffect, useState } from 'react'
import { fetchQuery, graphql, useRelayEnvironment } from 'react-relay'
import type { useEstimateQuery, useEstimateQuery$data } from '../../__generated__/useEstimateQuery.graphql'
import { readable } from '../../core/format'
import type { Problems } from '../../core/problems'
import { type Form, inputOf } from './form'

const query = graphql`
  query useEstimateQuery($input: CreateMissionInput!) {
    estimateMission(input: $input) {
      estimatedPosts
      endsAt
      estimatedCostCents
      firstSlots {
        at
        platform
        accountHandle
      }
      notices {
        param
        message
      }
      problems {
        path
        message
      }
    }
  }
`

export type MissionEstimate = NonNullable<useEstimateQuery$data['estimateMission']>

// pause is how long nothing is typed before the form is estimated, in milliseconds.
const pause = 300

// useEstimate returns what the service expects of a form, the last answer until there is a
// newer one, and why the latest request failed.
export function useEstimate(form: Form) {
  const environment = useRelayEnvironment()
  const [estimate, setEstimate] = useState<MissionEstimate | null>(null)
  const [failed, setFailed] = useState<string | null>(null)
  const [attempt, setAttempt] = useState(0)
  const text = JSON.stringify(inputOf(form))
  useEffect(() => {
    let request: { unsubscribe: () => void } | undefined
    const timer = setTimeout(() => {
      request = fetchQuery<useEstimateQuery>(environment, query, { input: JSON.parse(text) }, { fetchPolicy: 'network-only' }).subscribe({
        next: (data) => {
          setEstimate(data.estimateMission ?? null)
          setFailed(null)
        },
        error: (e: Error) => setFailed(e.message),
      })
    }, pause)
    return () => {
      clearTimeout(timer)
      request?.unsubscribe()
    }
  }, [environment, text, attempt])
  return { estimate, failed, again: () => setAttempt((n) => n + 1) }
}

// problemsIn returns an estimate's problems by their fields' paths.
export const problemsIn = (e: MissionEstimate | null): Problems =>
  Object.fromEntries((e?.problems ?? []).map((p) => [p.path, readable(p.message)]))
