import type { BrandMutation$variables } from '../../__generated__/BrandMutation.graphql'
import type { BrandQuery$data } from '../../__generated__/BrandQuery.graphql'
import { dateOf, ownZone } from '../../core/format'
import type { Problems } from '../../core/problems'
import { inWords, table } from '../../core/table'
import { instant } from '../../core/zone'
import { words } from '../new/form'

type Brand = NonNullable<NonNullable<BrandQuery$data['tenant']>['brand']>
export type BrandInput = NonNullable<BrandMutation$variables['input']['brand']>

// FormFact is a fact as it is typed: until is a day, or "", at the time that is stored.
export type FormFact = { text: string; source: string; until: string; at: string | null }

export const emojiUses = table<Brand['emoji'], string>({ FREE: 'As the writer likes', FEW: 'At most 3', NONE: 'None' }, inWords)

// formOf returns a brand as a form has it.
export const formOf = (b?: Brand | null) => ({
  voice: b?.voice ?? '',
  audience: b?.audience ?? '',
  website: b?.website ?? '',
  language: b?.language ?? '',
  topics: b?.excludedTopics.join(', ') ?? '',
  banned: b?.bannedWords.join(', ') ?? '',
  required: b?.requiredWords.join(', ') ?? '',
  emoji: b?.emoji ?? 'FREE',
  tags: b?.hashtags.always.join(' ') ?? '',
  most: b?.hashtags.max?.toString() ?? '',
  examples: b?.examples ?? [],
  facts: (b?.facts ?? []).map((f): FormFact => ({
    text: f.text,
    source: f.source ?? '',
    until: f.expiresAt ? dateOf(f.expiresAt) : '',
    at: f.expiresAt ?? null,
  })) as readonly FormFact[],
})

export type Form = ReturnType<typeof formOf>

// Part is what a part of the form has: the values, what changes them, and what is wrong.
export type Part = { form: Form; set: (change: Partial<Form>) => void; problems: Problems }

// A fact holds until its day ends, where the person is.
function expiry({ until, at }: FormFact) {
  if (!until) return null
  return at && dateOf(at) === until ? at : new Date(instant(until, 23, 59, ownZone())).toISOString()
}

// inputOf returns what a form says as the service takes it.
export const inputOf = (f: Form): BrandInput => ({
  voice: f.voice.trim(),
  audience: f.audience.trim(),
  website: f.website.trim(),
  language: f.language.trim(),
  excludedTopics: words(f.topics),
  bannedWords: words(f.banned),
  requiredWords: words(f.required),
  emoji: f.emoji,
  hashtags: { max: f.most.trim() ? Number(f.most) : null, always: f.tags.split(/[\s,]+/).filter(Boolean) },
  examples: f.examples.map((e) => e.trim()).filter(Boolean),
  facts: f.facts
    .filter((x) => x.text.trim() || x.source.trim())
    .map((x) => ({ text: x.text.trim(), source: x.source.trim() || null, expiresAt: expiry(x) })),
})
