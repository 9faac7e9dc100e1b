import { useState } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay'
import type { BrandMutation } from '../../__generated__/BrandMutation.graphql'
import type { BrandQuery } from '../../__generated__/BrandQuery.graphql'
import { useAction } from '../../core/action'
import { useEdits } from '../../core/edits'
import { useFresh } from '../../core/live'
import { type Problems, saidBy } from '../../core/problems'
import { useViewer } from '../../core/session'
import { toast } from '../../core/toast'
import { Button } from '../../ui/button'
import { sendByKey } from '../../ui/dialog'
import { Input, Select, TextArea } from '../../ui/field'
import { emojiUses, type Form, formOf, inputOf, type Part } from './brandForm'
import { Examples, Facts } from './BrandLists'
import { Sample } from './Sample'

graphql`
  fragment Brand_rules on Brand {
    voice
    audience
    website
    language
    excludedTopics
    bannedWords
    requiredWords
    emoji
    hashtags {
      max
      always
    }
    examples
    facts {
      text
      source
      expiresAt
    }
  }
`

// Brand is what guides the writer in every mission, and what no post may say.
export default function Brand() {
  const [fetchKey] = useFresh(['TENANT'])
  const { tenant } = useLazyLoadQuery<BrandQuery>(
    graphql`
      query BrandQuery {
        tenant {
          id
          brand {
            ...Brand_rules @relay(mask: false)
          }
        }
      }
    `,
    {},
    { fetchPolicy: 'store-and-network', fetchKey },
  )
  const { values: form, typed, set: edit, forget } = useEdits(`brand:${useViewer().tenant.id}`, formOf(tenant?.brand))
  const [problems, setProblems] = useState<Problems>({})
  const [run, busy] = useAction<BrandMutation>(graphql`
    mutation BrandMutation($input: UpdateTenantInput!) {
      updateTenant(input: $input) {
        tenant {
          id
          brand {
            ...Brand_rules @relay(mask: false)
          }
        }
      }
    }
  `)
  const set = (change: Partial<Form>) => (edit(change), setProblems({}))
  const failed = (e: Error) => (setProblems(saidBy(e)), true)
  const save = () =>
    run({
      variables: { input: { brand: inputOf(form) } },
      done: () => (forget(), toast('Saved. New posts follow it from now on.')),
      failed,
    })
  return (
    <div className="branding">
      <form
        className="card body stack"
        noValidate
        onKeyDown={sendByKey}
        onSubmit={(e) => {
          e.preventDefault()
          if (!busy) save()
        }}
      >
        <Fields form={form} set={set} problems={problems} />
        <div className="row">
          <Button look="primary" type="submit" busy={busy}>
            Save
          </Button>
          {typed && <Button onClick={() => (forget(), setProblems({}))}>Discard</Button>}
        </div>
      </form>
      <Sample brand={() => inputOf(form)} onFailed={failed} />
    </div>
  )
}

// The fields in the order of the form: what guides the writer, then what binds everybody.
const fields = [
  'voice',
  'audience',
  'website',
  'language',
  'excludedTopics',
  'bannedWords',
  'requiredWords',
  'hashtags',
  'examples',
  'facts',
]

function Fields({ form, set, problems }: Part) {
  // of returns what is wrong with a field, or with one of its items.
  const of = (field: string) => Object.entries(problems).find(([path]) => path.startsWith(`brand.${field}`))?.[1]
  const rest = Object.entries(problems).filter(([path]) => !fields.some((f) => path.startsWith(`brand.${f}`)))
  const text = (key: 'voice' | 'audience' | 'website' | 'language' | 'topics' | 'banned' | 'required' | 'tags' | 'most') => ({
    value: form[key],
    onChange: (e: { target: { value: string } }) => set({ [key]: e.target.value }),
  })
  return (
    <>
      <TextArea
        label="Voice"
        optional
        hint="How you sound: a few sentences, as you would brief a writer."
        problem={of('voice')}
        {...text('voice')}
      />
      <TextArea label="Audience" optional hint="Who reads you, and what they care about." problem={of('audience')} {...text('audience')} />
      <div className="pair">
        <Input label="Website" optional type="url" placeholder="https://example.com" problem={of('website')} {...text('website')} />
        <Input
          label="Language"
          optional
          hint="Of missions that state none, such as en-GB."
          placeholder="en-GB"
          problem={of('language')}
          {...text('language')}
        />
      </div>
      <Examples form={form} set={set} problems={problems} />
      <Facts form={form} set={set} problems={problems} />
      <TextArea
        label="Excluded topics"
        optional
        hint="Topics that no mission writes about, separated by commas. Approved posts that mention a new one go back to review."
        problem={of('excludedTopics')}
        {...text('topics')}
      />
      <TextArea
        label="Banned words"
        optional
        hint="What no post says, whoever writes it, separated by commas."
        problem={of('bannedWords')}
        {...text('banned')}
      />
      <Input
        label="Required words"
        optional
        hint="What each post of the writer has: at most 5, separated by commas."
        problem={of('requiredWords')}
        {...text('required')}
      />
      <Select label="Emoji" value={form.emoji} onChange={(e) => set({ emoji: e.target.value as Form['emoji'] })}>
        {[...new Set([...emojiUses.keys, form.emoji])].map((v) => (
          <option key={v} value={v}>
            {emojiUses(v)}
          </option>
        ))}
      </Select>
      <div className="pair">
        <Input label="Hashtags of each post" optional placeholder="#acme" problem={of('hashtags.always')} {...text('tags')} />
        <Input
          label="Most hashtags"
          optional
          type="number"
          min={0}
          max={30}
          placeholder="No limit"
          problem={of('hashtags.max')}
          {...text('most')}
        />
      </div>
      {rest.map(([path, message]) => (
        <p key={path} className="problem" role="alert">
          {message}
        </p>
      ))}
    </>
  )
}
