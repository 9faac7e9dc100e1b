import type { CreateMissionInput } from '../../__generated__/NewMutation.graphql'
import type { Metric, Platform } from '../../app/enums'
import { ApiError } from '../../app/relay'
import { addDays, instant } from '../../app/zone'

// Form is what a person has filled in. Numbers are texts, as they are typed.
export type Form = {
  name: string
  description: string
  objectives: string[]
  platforms: Platform[]
  accounts: string[]
  cadence: 'DAILY' | 'WEEKDAYS' | 'WEEKLY' | 'BIWEEKLY' | 'MONTHLY'
  postsPerDay: string
  postingTimes: string[]
  timezone: string
  durationDays: string
  start: 'now' | 'at' | 'draft'
  startsAt: string
  requireApproval: boolean
  tone: string
  excludedTopics: string
  budget: string
  kpis: { metric: Metric; target: string; platform: Platform | '' }[]
}

export const blank = (): Form => ({
  name: '',
  description: '',
  objectives: [''],
  platforms: [],
  accounts: [],
  cadence: 'DAILY',
  postsPerDay: '2',
  postingTimes: [],
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  durationDays: '21',
  start: 'now',
  startsAt: '',
  requireApproval: true,
  tone: '',
  excludedTopics: '',
  budget: '',
  kpis: [],
})

const words = (text: string) => text.split(/[,\n]/).map((t) => t.trim()).filter(Boolean)
const number = (text: string) => (text.trim() === '' ? NaN : Number(text.replace(',', '.')))

// inputOf returns the mission that a form describes.
export function inputOf(f: Form): CreateMissionInput {
  const [day = '', time = ''] = f.startsAt.split('T')
  const [h = 0, m = 0] = time.split(':').map(Number)
  return {
    name: f.name.trim(),
    description: f.description.trim() || null,
    objectives: f.objectives.map((o) => o.trim()).filter(Boolean),
    platforms: f.platforms,
    integrationIds: f.accounts.length ? f.accounts : null,
    constraints: {
      tone: f.tone.trim() || null,
      cadence: f.cadence,
      postsPerDay: Math.round(number(f.postsPerDay)),
      postingTimes: f.postingTimes.filter(Boolean),
      timezone: f.timezone,
      requireApproval: f.requireApproval,
      budgetCents: f.budget.trim() ? Math.round(number(f.budget) * 100) : null,
      excludedTopics: words(f.excludedTopics),
    },
    kpis: f.kpis.map((k) => ({ metric: k.metric, target: number(k.target), platform: k.platform || null })),
    durationDays: Math.round(number(f.durationDays)),
    startImmediately: f.start === 'now',
    startsAt: f.start === 'at' && day ? new Date(instant(day, h, m, f.timezone)).toISOString() : null,
  }
}

// Problems are what is wrong, by the field's path in the input.
export type Problems = Readonly<Record<string, string>>

// problemsOf returns what can be seen to be wrong without the service.
export function problemsOf(f: Form): Problems {
  const p: Record<string, string> = {}
  const whole = (path: string, text: string, most: number, what: string) => {
    const n = number(text)
    if (!Number.isInteger(n) || n < 1 || n > most) p[path] = `${what} must be a whole number between 1 and ${most}.`
  }
  if (!f.name.trim()) p.name = 'Give it a name.'
  if (!f.objectives.some((o) => o.trim())) p.objectives = 'Say what it is to reach.'
  if (f.platforms.length === 0) p.platforms = 'Choose at least one platform.'
  whole('constraints.postsPerDay', f.postsPerDay, 50, 'Posts a day')
  whole('durationDays', f.durationDays, 366, 'The length')
  if (f.budget.trim() && !(number(f.budget) >= 0)) p['constraints.budgetCents'] = 'The budget must be an amount in US dollars.'
  if (f.start === 'at' && !f.startsAt) p.startsAt = 'Choose when it starts.'
  f.kpis.forEach((k, i) => {
    if (!(number(k.target) > 0)) p[`kpis[${i}].target`] = 'The target must be a number above 0.'
    if (f.kpis.findIndex((o) => o.metric === k.metric && o.platform === k.platform) < i) p[`kpis[${i}].metric`] = 'This target is there twice.'
  })
  return p
}

// saidBy returns the problems that the service named.
export function saidBy(e: Error): Problems {
  if (!(e instanceof ApiError)) return { '': e.message }
  const all = e.problems ?? [{ path: e.param ?? '', message: e.message }]
  return Object.fromEntries(all.map((p) => [pathOf(p.path), p.message]))
}

// pathOf returns a path as the form's fields are called: constraints.postsPerDay.
const pathOf = (path: string) => path.replace(/^input\./, '').replace(/_([a-z])/g, (_, c: string) => c.toUpperCase())

// postingDays returns the days on which a mission posts, from its first.
export function postingDays(f: Form, first: string): string[] {
  const n = Math.min(Math.max(Math.round(number(f.durationDays)) || 0, 0), 366)
  const date = Number(first.slice(8))
  return Array.from({ length: n }, (_, i) => addDays(first, i)).filter((d, i) => {
    const weekday = new Date(`${d}T12:00:00Z`).getUTCDay()
    const last = Number(addDays(`${addDays(`${d.slice(0, 8)}28`, 4).slice(0, 8)}01`, -1).slice(8))
    switch (f.cadence) {
      case 'WEEKDAYS':
        return weekday > 0 && weekday < 6
      case 'WEEKLY':
        return i % 7 === 0
      case 'BIWEEKLY':
        return i % 14 === 0
      case 'MONTHLY':
        return Number(d.slice(8)) === Math.min(date, last)
      default:
        return true
    }
  })
}
