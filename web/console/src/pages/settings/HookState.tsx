import { count, dateTime } from '../../core/format'
import { table } from '../../core/table'
import type { Tone } from '../../ui/parts'
import { State, unknown } from '../../ui/status'

export type Undelivered = { readonly events: number; readonly from: string; readonly since: string } | null | undefined

const states = table<string, [string, Tone]>({ ACTIVE: ['Active', 'ok'], FAILING: ['Failing', 'bad'] }, unknown)

// HookState is an endpoint's state as a badge.
export const HookState = ({ of: w }: { of: { readonly enabled: boolean; readonly status: string } }) => (
  <State of={w.enabled ? states(w.status) : ['Off', '']} />
)

// lacking says what an endpoint didn't accept, and since when it fails.
export const lacking = (status: string, u: Undelivered) =>
  u &&
  [
    status === 'FAILING' ? `since ${dateTime(u.since)}: ` : '',
    // The service looks at a thousand deliveries.
    `${count(u.events)}${u.events >= 1000 ? ' or more' : ''} ${u.events === 1 ? 'event' : 'events'} undelivered`,
  ].join('')

// outcome says how an attempt to deliver ended: "503 in 12 ms".
export const outcome = (a: { readonly statusCode: number | null | undefined; readonly durationMs: number }) =>
  `${a.statusCode ?? 'No response'} in ${count(a.durationMs)} ms`
