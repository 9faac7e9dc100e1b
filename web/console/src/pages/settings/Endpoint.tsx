import { graphql } from 'react-relay'
import type { EndpointCreateMutation } from '../../__generated__/EndpointCreateMutation.graphql'
import type { EndpointUpdateMutation } from '../../__generated__/EndpointUpdateMutation.graphql'
import { useAction } from '../../core/action'
import { useEdits } from '../../core/edits'
import type { EventType } from '../../core/enums'
import { useProblems } from '../../core/problems'
import { eventName, eventTypes } from '../../core/words'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Check, Input } from '../../ui/field'
import { Choices } from '../../ui/menu'
import { Problem } from '../../ui/problem'

type Webhook = { readonly id: string; readonly url: string; readonly events: readonly EventType[] }

const offered = eventTypes.filter((t) => t !== 'WEBHOOK_TEST')

const usual: readonly EventType[] = ['CONTENT_PUBLISHED', 'CONTENT_FAILED', 'PIPELINE_JOB_FAILED']

// Endpoint makes an endpoint, or changes one, of which it sends what was changed: what others change
// meanwhile stays.
export function Endpoint({ webhook, onClose, onMade }: { webhook?: Webhook; onClose: () => void; onMade?: (secret: string) => void }) {
  const {
    values: { url, events },
    typed,
    set,
    forget,
  } = useEdits(`endpoint:${webhook?.id ?? ''}`, { url: webhook?.url ?? '', events: webhook?.events ?? usual })
  const { of, rest, clear, failed } = useProblems('url')
  const [runCreate, creating] = useAction<EndpointCreateMutation>(graphql`
    mutation EndpointCreateMutation($input: CreateWebhookInput!) {
      createWebhook(input: $input) {
        secret
      }
    }
  `)
  const [runUpdate, updating] = useAction<EndpointUpdateMutation>(graphql`
    mutation EndpointUpdateMutation($id: ID!, $input: UpdateWebhookInput!) {
      updateWebhook(id: $id, input: $input) {
        webhook {
          id
          url
          events
          status
          enabled
        }
      }
    }
  `)
  const discard = () => (forget(), onClose())
  const submit = () => {
    const input = { url: url.trim(), events }
    if (!webhook) return runCreate({ variables: { input }, done: (r) => (forget(), onMade?.(r.createWebhook!.secret)), failed })
    const changed = {
      ...(input.url === webhook.url ? {} : { url: input.url }),
      ...(String(events) === String(webhook.events) ? {} : { events }),
    }
    if (Object.keys(changed).length === 0) return discard()
    runUpdate({ variables: { id: webhook.id, input: changed }, done: discard, failed })
  }
  return (
    <Dialog
      kind="wide"
      title={webhook ? 'Change the endpoint' : 'New endpoint'}
      onClose={onClose}
      onSubmit={submit}
      footer={
        <Choices no={typed ? 'Discard' : 'Cancel'} yes={webhook ? 'Save' : 'Create endpoint'} busy={creating || updating} onNo={discard} />
      }
    >
      <div className="settings stack">
        <Input
          label="Address"
          type="url"
          placeholder="https://example.com/hooks/missiond"
          hint="https, at a public address"
          value={url}
          problem={of('url')}
          onChange={(e) => (set({ url: e.target.value }), clear())}
        />
        <fieldset className="stack tight">
          <div className="row spread">
            <legend className="legend">Events</legend>
            <Button look="quiet" onClick={() => set({ events: events.length === offered.length ? [] : offered })}>
              {events.length === offered.length ? 'None' : 'All'}
            </Button>
          </div>
          <div className="types">
            {offered.map((t) => (
              <Check
                key={t}
                label={eventName(t)}
                checked={events.includes(t)}
                onChange={(e) => set({ events: e.target.checked ? [...events, t] : events.filter((x) => x !== t) })}
              />
            ))}
          </div>
        </fieldset>
        <Problem of={rest} />
      </div>
    </Dialog>
  )
}
