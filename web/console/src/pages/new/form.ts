import type { CreateMissionInput } from '../../__generated__/NewMutation.graphql'
import type { Metric, Platform } from '../../core/enums'
import type { Problems } from '../../core/problems'
import { instant } from '../../core/zone'
import type { MissionLimits } from '../../text/limits'
import { numberOf, typed } from '../../text/number'

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

export const words = (text: string) =>
  text
    .split(/[,\n]/)
    .map((t) => t.trim())
    .filter(Boolean)

// whole returns a number that was typed, in an input where the service says what is wrong with 0.
const whole = (text: string) => Math.round(numberOf(text)) || 0

// inputOf returns the mission that a form describes.
export function inputOf(f: Form): CreateMissionInput {
  const [day = '', time = ''] = f.startsAt.split('T')
  const [h = 0, m = 0] = time.split(':').map(Number)
  return {
    name: f.name.trim(),
    description: f.description.trim() || null,
    objectives: f.objectives.map((o) => o.trim()).filter(Boolean),
    platforms: f.platforms,
    ...(f.accounts.length > 0 && { integrationIds: f.accounts }),
    constraints: {
      tone: f.tone.trim() || null,
      cadence: f.cadence,
      postsPerDay: whole(f.postsPerDay),
      postingTimes: f.postingTimes.filter(Boolean),
      timezone: f.timezone,
      requireApproval: f.requireApproval,
      budgetCents: f.budget.trim() && !Number.isNaN(numberOf(f.budget)) ? Math.round(numberOf(f.budget) * 100) : null,
      excludedTopics: words(f.excludedTopics),
    },
    kpis: f.kpis.map((k) => ({ metric: k.metric, target: numberOf(k.target) || 0, platform: k.platform || null })),
    durationDays: whole(f.durationDays),
    startImmediately: f.start === 'now',
    startsAt: f.start === 'at' && day ? new Date(instant(day, h, m, f.timezone)).toISOString() : null,
  }
}

// problemsOf returns what can be seen to be wrong without the service.
export function problemsOf(f: Form, limits: MissionLimits): Problems {
  const p: Record<string, string> = {}
  const between = (path: string, text: string, most: number, what: string) => {
    const n = numberOf(text)
    if (!Number.isInteger(n) || n < 1 || n > most) p[path] = `${what} must be a whole number between 1 and ${most}.`
  }
  if (!f.name.trim()) p.name = 'Enter a name.'
  if (!f.objectives.some((o) => o.trim())) p.objectives = 'Enter at least one objective.'
  if (f.platforms.length === 0) p.platforms = 'Choose at least one platform.'
  between('constraints.postsPerDay', f.postsPerDay, limits.postsPerDay, 'Posts a day')
  between('durationDays', f.durationDays, limits.durationDays, 'The length')
  if (f.budget.trim() && !(numberOf(f.budget) >= 0))
    p['constraints.budgetCents'] = `The budget must be an amount in US dollars, such as ${typed(49.5)}.`
  if (f.start === 'at' && !f.startsAt) p.startsAt = 'Choose when it starts.'
  f.kpis.forEach((k, i) => {
    if (!(numberOf(k.target) > 0)) p[`kpis[${i}].target`] = `The target must be a number above 0, such as 1500 or ${typed(2.5)}.`
    if (f.kpis.findIndex((o) => o.metric === k.metric && o.platform === k.platform) < i)
      p[`kpis[${i}].metric`] = 'This target is a duplicate.'
  })
  return p
}

// about returns the field of the form that a path in the input is about.
export function about(path: string): keyof Form {
  const name = path.replace(/^constraints\./, '').replace(/[.[].*/, '')
  const fields: Record<string, keyof Form> = { budgetCents: 'budget', integrationIds: 'accounts', mediaIds: 'platforms' }
  return fields[name] ?? (name as keyof Form)
}
