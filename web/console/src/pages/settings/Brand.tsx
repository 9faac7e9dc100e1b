import { useState } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay'
import type { BrandMutation } from '../../__generated__/BrandMutation.graphql'
import type { BrandQuery } from '../../__generated__/BrandQuery.graphql'
import { useAction } from '../../core/action'
import { useEdits } from '../../core/edits'
import { ApiError } from '../../core/errors'
import { useFresh } from '../../core/live'
import { toast } from '../../core/toast'
import { Button } from '../../ui/button'
import { Input, TextArea } from '../../ui/field'

// Brand is what guides the writer in every mission.
export default function Brand() {
  const [fetchKey] = useFresh(['TENANT'])
  const { tenant } = useLazyLoadQuery<BrandQuery>(
    graphql`
      query BrandQuery {
        tenant {
          id
          brand {
            voice
            audience
            website
            excludedTopics
          }
        }
      }
    `,
    {},
    { fetchPolicy: 'store-and-network', fetchKey },
  )
  const b = tenant?.brand
  const {
    values: form,
    set: edit,
    forget,
  } = useEdits({
    voice: b?.voice ?? '',
    audience: b?.audience ?? '',
    website: b?.website ?? '',
    topics: b?.excludedTopics.join(', ') ?? '',
  })
  const [problem, setProblem] = useState<{ param: string; message: string } | null>(null)
  const [run, busy] = useAction<BrandMutation>(graphql`
    mutation BrandMutation($input: UpdateTenantInput!) {
      updateTenant(input: $input) {
        tenant {
          id
          brand {
            voice
            audience
            website
            excludedTopics
          }
        }
      }
    }
  `)
  const save = () =>
    run({
      variables: {
        input: {
          brand: {
            voice: form.voice.trim(),
            audience: form.audience.trim(),
            website: form.website.trim(),
            excludedTopics: form.topics
              .split(/[,\n]/)
              .map((t) => t.trim())
              .filter(Boolean),
          },
        },
      },
      done: () => {
        forget()
        toast('Saved. New posts follow it from now on.')
      },
      failed: (e) => {
        setProblem({ param: e instanceof ApiError ? (e.param ?? '') : '', message: e.message })
        return true
      },
    })
  const of = (field: string) => (problem?.param.toLowerCase().replace(/_/g, '').includes(field) ? problem.message : undefined)
  const set = (key: keyof typeof form) => (e: { target: { value: string } }) => {
    edit({ [key]: e.target.value })
    setProblem(null)
  }
  return (
    <form
      className="card body stack narrow"
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        if (!busy) save()
      }}
    >
      <TextArea
        label="Voice"
        optional
        hint="How you sound: a few sentences, as you would brief a writer."
        value={form.voice}
        problem={of('voice')}
        onChange={set('voice')}
      />
      <TextArea
        label="Audience"
        optional
        hint="Who reads you, and what they care about."
        value={form.audience}
        problem={of('audience')}
        onChange={set('audience')}
      />
      <Input
        label="Website"
        optional
        type="url"
        placeholder="https://example.com"
        value={form.website}
        problem={of('website')}
        onChange={set('website')}
      />
      <TextArea
        label="Excluded topics"
        optional
        hint="Topics that no mission writes about, separated by commas. Approved posts that mention a new one go back to review."
        value={form.topics}
        problem={of('excluded')}
        onChange={set('topics')}
      />
      {problem && !/voice|audience|website|excluded/i.test(problem.param) && (
        <p className="problem" role="alert">
          {problem.message}
        </p>
      )}
      <div>
        <Button look="primary" type="submit" busy={busy}>
          Save
        </Button>
      </div>
    </form>
  )
}
