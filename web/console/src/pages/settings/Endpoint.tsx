import { useState } from 'react'
import { graphql } from 'react-relay'
import type { EndpointCreateMutation } from '../../__generated__/EndpointCreateMutation.graphql'
import type { EndpointUpdateMutation } from '../../__generated__/EndpointUpdateMutation.graphql'
import { useAction } from '../../core/action'
import type { EventType } from '../../core/enums'
import { ApiError } from '../../core/errors'
import { eventName, eventTypes } from '../../core/words'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Check, Input } from '../../ui/field'
import { Choices } from '../../ui/menu'
import { Note } from '../../ui/parts'

type Webhook = { readonly id: string; readonly url: string; readonly events: readonly EventType[] }

const offered = eventTypes.filter((t) => t !== 'WEBHOOK_TEST')

// Endpoint makes an endpoint, or changes one.
export function Endpoint({ webhook, onClose, onMade }: { webhook?: Webhook; onClose: () => void; onMade?: (secret: string) => void }) {
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [events, setEvents] = useState<readonly EventType[]>(
    webhook?.events ?? ['CONTENT_PUBLISHED', 'CONTENT_FAILED', 'PIPELINE_JOB_FAILED'],
  )
  const [problem, setProblem] = useState<{ url: boolean; message: string } | null>(null)
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
  const failed = (e: Error) => {
    setProblem({ url: e instanceof ApiError && /url/i.test(e.param ?? ''), message: e.message })
    return true
  }
  const submit = () => {
    const input = { url: url.trim(), events }
    if (webhook) runUpdate({ variables: { id: webhook.id, input }, done: onClose, failed })
    else runCreate({ variables: { input }, done: (r) => onMade?.(r.createWebhook!.secret), failed })
  }
  return (
    <Dialog
      kind="wide"
      title={webhook ? 'Change the endpoint' : 'New endpoint'}
      onClose={onClose}
      onSubmit={submit}
      footer={<Choices yes={webhook ? 'Save' : 'Create endpoint'} busy={creating || updating} onNo={onClose} />}
    >
      <div className="settings stack">
        <Input
          label="Address"
          type="url"
          placeholder="https://example.com/hooks/missiond"
          hint="https, at a public address"
          value={url}
          problem={problem?.url ? problem.message : undefined}
          onChange={(e) => (setUrl(e.target.value), setProblem(null))}
        />
        <fieldset className="stack tight">
          <div className="row spread">
            <legend className="legend">Events</legend>
            <Button look="quiet" onClick={() => setEvents(events.length === offered.length ? [] : offered)}>
              {events.length === offered.length ? 'None' : 'All'}
            </Button>
          </div>
          <div className="types">
            {offered.map((t) => (
              <Check
                key={t}
                label={eventName(t)}
                checked={events.includes(t)}
                onChange={(e) => setEvents(e.target.checked ? [...events, t] : events.filter((x) => x !== t))}
              />
            ))}
          </div>
        </fieldset>
        {problem && !problem.url && (
          <div role="alert">
            <Note tone="bad">{problem.message}</Note>
          </div>
        )}
      </div>
    </Dialog>
  )
}
