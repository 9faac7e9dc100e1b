import { graphql } from 'react-relay'
import type { OwnQuery$data } from '../../__generated__/OwnQuery.graphql'
import type { OwnWriterRemoveMutation } from '../../__generated__/OwnWriterRemoveMutation.graphql'
import type { OwnWriterSetMutation } from '../../__generated__/OwnWriterSetMutation.graphql'
import { useAction } from '../../core/action'
import { useEdits } from '../../core/edits'
import { sentence } from '../../core/format'
import { useProblems } from '../../core/problems'
import { toast } from '../../core/toast'
import { numberOf, typed } from '../../text/number'
import { Dialog } from '../../ui/dialog'
import { Input } from '../../ui/field'
import { Choices } from '../../ui/menu'
import { Note } from '../../ui/parts'
import { Problem } from '../../ui/problem'
import { OwnCard } from './OwnCard'

type Writer = NonNullable<NonNullable<OwnQuery$data['tenant']>['writer']>

// OwnWriter is the language model of the organization's own.
export function OwnWriter({ writer: w, onChange }: { writer: Writer | null; onChange: () => void }) {
  const [remove, removing] = useAction<OwnWriterRemoveMutation>(graphql`
    mutation OwnWriterRemoveMutation {
      removeTenantWriter {
        writer {
          url
        }
      }
    }
  `)
  return (
    <OwnCard
      title="Language model"
      none="The service’s writer writes your posts. A provider of your own, with your own key, can take its place: texts then go to nobody else."
      at={w?.updatedAt}
      rows={
        w && [
          ['Endpoint', w.url],
          ['Model', w.model],
          ['Key', w.keySet ? 'Stored, and never shown' : 'None'],
          ['Prices', `US$${typed(w.prices.input)} in, US$${typed(w.prices.output)} out, for a million tokens`],
        ]
      }
      note={w?.error && <Note tone="bad">The endpoint rejects calls, and posts wait: {sentence(w.error.message)}</Note>}
      warning="The service’s writer writes your posts again, from the next one on. The key is deleted."
      busy={removing}
      onRemove={(done) => remove({ variables: {}, done: () => (toast('Removed.'), done(), onChange()) })}
      form={(close) => (
        <Form writer={w} onClose={close} onDone={() => (toast('Saved. It writes from the next post on.'), close(), onChange())} />
      )}
    />
  )
}

function Form({ writer: w, onClose, onDone }: { writer: Writer | null; onClose: () => void; onDone: () => void }) {
  const edits = useEdits(
    'own-writer',
    {
      url: w?.url ?? '',
      model: w?.model ?? '',
      key: '',
      input: w ? typed(w.prices.input) : '',
      output: w ? typed(w.prices.output) : '',
    },
    'key',
  )
  const { values: form, forget } = edits
  const { of, rest, say, clear, failed } = useProblems('url', 'model', 'key', 'prices.input', 'prices.output')
  const [run, busy] = useAction<OwnWriterSetMutation>(graphql`
    mutation OwnWriterSetMutation($input: SetTenantWriterInput!) {
      setTenantWriter(input: $input) {
        writer {
          url
        }
      }
    }
  `)
  const price = (text: string) => (text.trim() ? numberOf(text) : 0)
  const submit = () => {
    const prices = { input: price(form.input), output: price(form.output) }
    const wrong = Object.entries(prices).filter(([, n]) => Number.isNaN(n))
    if (wrong.length > 0)
      return say(Object.fromEntries(wrong.map(([k]) => [`prices.${k}`, `Enter an amount in US dollars, such as ${typed(0.25)}.`])))
    run({
      variables: { input: { url: form.url.trim(), model: form.model.trim(), key: form.key || (w?.keySet ? null : ''), prices } },
      done: () => (forget(), onDone()),
      failed,
    })
  }
  const text = (key: keyof typeof form, path: string = key) => ({
    value: form[key],
    problem: of(path),
    onChange: (e: { target: { value: string } }) => (edits.set({ [key]: e.target.value }), clear()),
  })
  return (
    <Dialog
      title="Your own language model"
      about="An endpoint that implements OpenAI’s chat completions."
      onClose={onClose}
      asks={edits.secret}
      onSubmit={submit}
      footer={<Choices no={edits.typed ? 'Discard' : 'Cancel'} yes="Save" busy={busy} onNo={() => (forget(), onClose())} />}
    >
      <div className="stack">
        <Input label="Endpoint" type="url" placeholder="https://api.openai.com/v1" {...text('url')} />
        <Input label="Model" placeholder="gpt-5-mini" {...text('model')} />
        <Input
          label="Key"
          type="password"
          autoComplete="new-password"
          optional={!!w?.keySet}
          hint={w?.keySet ? 'Empty: the stored one stays.' : 'It is encrypted, and never shown again.'}
          {...text('key')}
        />
        <div className="pair">
          <Input label="Price of input" optional hint="US$ for a million tokens" inputMode="decimal" {...text('input', 'prices.input')} />
          <Input
            label="Price of output"
            optional
            hint="Missions’ budgets are charged"
            inputMode="decimal"
            {...text('output', 'prices.output')}
          />
        </div>
        <Problem of={rest} />
      </div>
    </Dialog>
  )
}
