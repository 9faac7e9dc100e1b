import { lazy, startTransition, Suspense, useState } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay'
import { Link, useLocation, useParams } from 'wouter'
import type { DeliveryStatus, WebhookQuery } from '../../__generated__/WebhookQuery.graphql'
import type { WebhookDeleteMutation } from '../../__generated__/WebhookDeleteMutation.graphql'
import type { WebhookEnableMutation } from '../../__generated__/WebhookEnableMutation.graphql'
import type { WebhookReplayMutation } from '../../__generated__/WebhookReplayMutation.graphql'
import type { WebhookRotateMutation } from '../../__generated__/WebhookRotateMutation.graphql'
import type { WebhookTestMutation } from '../../__generated__/WebhookTestMutation.graphql'
import { useAction } from '../../core/action'
import type { EventType } from '../../core/enums'
import { serviceNow } from '../../core/clock'
import { count, plural, sentence } from '../../core/format'
import { useFresh } from '../../core/live'
import { useMay } from '../../core/session'
import { toast } from '../../core/toast'
import { eventName, eventTypes, wireName } from '../../core/words'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Segmented } from '../../ui/field'
import { Icon } from '../../ui/icons'
import { Choices, Menu } from '../../ui/menu'
import { Empty, Note } from '../../ui/parts'
import { Time, Zone } from '../../ui/time'
import { Delivery } from './Delivery'
import { Endpoint } from './Endpoint'
import { HookState, lacking, outcome } from './HookState'
import { Secret } from './Secret'

const Example = lazy(() => import('./Example'))
const Verify = lazy(() => import('./Verify'))

const spans = { '': 'Any time', 1: 'The last hour', 24: 'The last day', 168: 'The last week' } as const

const filters: { value: DeliveryStatus | 'ALL'; label: string }[] = [
  { value: 'ALL', label: 'All' },
  { value: 'DELIVERED', label: 'Delivered' },
  { value: 'PENDING', label: 'Pending' },
  { value: 'FAILED', label: 'Failed' },
]

// Webhook is an endpoint with its deliveries.
export default function Webhook() {
  const { id = '' } = useParams<{ id: string }>()
  const [, go] = useLocation()
  const [status, setStatus] = useState<DeliveryStatus | 'ALL'>('ALL')
  const [type, setType] = useState<EventType | ''>('')
  const [from, setFrom] = useState<{ hours: string; at: string | null }>({ hours: '', at: null })
  const [fetchKey, refresh] = useFresh(['WEBHOOKS', 'DELIVERIES'])
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null)
  const [tested, setTested] = useState<WebhookTestMutation['response']['testWebhook']>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const may = useMay('INTEGRATIONS_WRITE')
  const { webhook: w } = useLazyLoadQuery<WebhookQuery>(
    graphql`
      query WebhookQuery($id: ID!, $status: DeliveryStatus, $type: EventType, $from: DateTime) {
        webhook(id: $id) {
          id
          url
          status
          enabled
          events
          undelivered {
            events
            from
            since
          }
          lastError {
            at
            statusCode
            error
          }
          deliveries(first: 30, status: $status, eventType: $type, createdFrom: $from) {
            edges {
              node {
                id
                ...Delivery_delivery
              }
            }
          }
        }
      }
    `,
    { id, status: status === 'ALL' ? null : status, type: type || null, from: from.at },
    { fetchPolicy: 'store-and-network', fetchKey },
  )
  const [runTest, testing] = useAction<WebhookTestMutation>(graphql`
    mutation WebhookTestMutation($id: ID!) {
      testWebhook(id: $id) {
        delivered
        statusCode
        durationMs
        error
      }
    }
  `)
  const [runEnable] = useAction<WebhookEnableMutation>(graphql`
    mutation WebhookEnableMutation($id: ID!, $input: UpdateWebhookInput!) {
      updateWebhook(id: $id, input: $input) {
        webhook {
          id
          enabled
          status
        }
      }
    }
  `)
  const [runRotate] = useAction<WebhookRotateMutation>(graphql`
    mutation WebhookRotateMutation($id: ID!) {
      rotateWebhookSecret(id: $id) {
        secret
      }
    }
  `)
  const [runReplay, replaying] = useAction<WebhookReplayMutation>(graphql`
    mutation WebhookReplayMutation($id: ID!, $since: DateTime!) {
      replayWebhook(id: $id, since: $since, undelivered: true) {
        events
      }
    }
  `)
  const [runDelete, deleting] = useAction<WebhookDeleteMutation>(graphql`
    mutation WebhookDeleteMutation($id: ID!) {
      deleteWebhook(id: $id) {
        deletedId
      }
    }
  `)
  if (!w)
    return (
      <Empty
        icon="webhook"
        title="Endpoint not found"
        actions={
          <Link className="btn" href="/settings/webhooks">
            All endpoints
          </Link>
        }
      />
    )
  const lost = w.undelivered
  const failing = w.status === 'FAILING'
  const replay = () =>
    runReplay({
      variables: { id, since: lost?.from ?? new Date(serviceNow() - 7 * 86_400_000).toISOString() },
      done: (r) => {
        toast(r.replayWebhook!.events === 0 ? 'There are no failed events.' : `${plural(r.replayWebhook!.events, 'event')} resent.`)
        refresh()
      },
    })
  const test = () =>
    runTest({
      variables: { id },
      done: (r) => {
        setTested(r.testWebhook!)
        refresh()
      },
    })
  const deliveries = w.deliveries?.edges ?? []
  return (
    <div className="stack wide">
      <div className="stack tight">
        <Link href="/settings/webhooks" className="small muted row">
          <Icon name="left" size={14} /> Webhooks
        </Link>
        <div className="row wrap">
          <h2 className="clip grow">{w.url}</h2>
          <HookState of={w} />
          {may && (
            <Button busy={testing} onClick={test}>
              Send a test
            </Button>
          )}
          {may && (
            <Menu
              label="Actions for the endpoint"
              items={[
                { label: 'Change', icon: 'edit', onSelect: () => setOpen('edit') },
                {
                  label: w.enabled ? 'Turn off' : 'Turn on',
                  icon: w.enabled ? 'pause' : 'play',
                  onSelect: () => runEnable({ variables: { id, input: { enabled: !w.enabled } }, done: refresh }),
                },
                { label: 'Resend failed events', icon: 'redo', onSelect: replay },
                {
                  label: 'Rotate secret',
                  icon: 'key',
                  onSelect: () => runRotate({ variables: { id }, done: (r) => setSecret(r.rotateWebhookSecret!.secret) }),
                },
                'line',
                { label: 'Delete', icon: 'trash', danger: true, onSelect: () => setOpen('delete') },
              ]}
            />
          )}
        </div>
        <p className="small muted">{w.events.map(wireName).join(', ')}</p>
      </div>
      {tested && (
        <div role="status">
          <Note tone={tested.delivered ? 'ok' : 'bad'}>
            {tested.delivered ? `The test was accepted: ${outcome(tested)}.` : `The test failed: ${tested.error}`}
          </Note>
        </div>
      )}
      {w.enabled && (failing || lost) && (
        <Note
          tone={failing ? 'bad' : 'warn'}
          actions={
            may &&
            lost &&
            (!failing || tested?.delivered) && (
              <Button icon="redo" busy={replaying} onClick={replay}>
                Resend the {count(lost.events)} that failed
              </Button>
            )
          }
        >
          {failing
            ? `Failing${lost ? ` ${lacking(w.status, lost)}` : ''}. We keep sending new events: once one is accepted, the endpoint is active again.`
            : `${lacking(w.status, lost)}: no attempt was accepted.`}
        </Note>
      )}
      {w.lastError && (
        <p className="small muted">
          Last error <Time at={w.lastError.at} />: {sentence(w.lastError.error ?? `it responded with ${w.lastError.statusCode}`)}
        </p>
      )}
      <div className="row wrap">
        <Segmented label="Deliveries" value={status} options={filters} onChange={(s) => startTransition(() => setStatus(s))} />
        <select
          className="input short"
          aria-label="Type"
          value={type}
          onChange={(e) => startTransition(() => setType(e.target.value as EventType))}
        >
          <option value="">All types</option>
          {eventTypes.map((t) => (
            <option key={t} value={t}>
              {eventName(t)}
            </option>
          ))}
        </select>
        <select
          className="input short"
          aria-label="Created"
          value={from.hours}
          onChange={(e) =>
            startTransition(() =>
              setFrom({
                hours: e.target.value,
                at: e.target.value ? new Date(serviceNow() - Number(e.target.value) * 3_600_000).toISOString() : null,
              }),
            )
          }
        >
          {Object.entries(spans).map(([hours, label]) => (
            <option key={hours} value={hours}>
              {label}
            </option>
          ))}
        </select>
        <span className="xsmall muted">
          <Zone />
        </span>
      </div>
      {type && (
        <details className="small">
          <summary>Example payload</summary>
          <Suspense fallback={null}>
            <Example type={type} />
          </Suspense>
        </details>
      )}
      {deliveries.length === 0 ? (
        <Empty icon="webhook" title="No deliveries">
          Deliveries to the endpoint are listed here for 30 days.
        </Empty>
      ) : (
        <div className="card scrolls" tabIndex={0} role="region" aria-label="Deliveries">
          <table className="table stacked">
            <thead>
              <tr>
                <th scope="col">Event</th>
                <th scope="col">Post</th>
                <th scope="col">State</th>
                <th scope="col" className="right">
                  Status
                </th>
                <th scope="col" className="right">
                  Time
                </th>
                <th scope="col" className="right">
                  Attempts
                </th>
                <th scope="col">When</th>
              </tr>
            </thead>
            <tbody>
              {deliveries.map(({ node }) => (
                <Delivery key={node.id} delivery={node} onSent={refresh} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <details className="small">
        <summary>How to verify a signature</summary>
        <Suspense fallback={null}>
          <Verify />
        </Suspense>
      </details>
      {open === 'edit' && <Endpoint webhook={w} onClose={() => setOpen(null)} />}
      {open === 'delete' && (
        <Dialog
          title="Delete the endpoint?"
          onClose={() => setOpen(null)}
          footer={
            <Choices
              no="Keep it"
              yes="Delete"
              danger
              busy={deleting}
              onNo={() => setOpen(null)}
              onYes={() => runDelete({ variables: { id }, done: () => go('/settings/webhooks', { replace: true }) })}
            />
          }
        >
          <p>No more events are sent to it, and its delivery log is deleted.</p>
        </Dialog>
      )}
      {secret && (
        <Secret
          title="The new secret"
          secret={secret}
          about="Deliveries are also signed with the previous one for 24 hours."
          onClose={() => setSecret(null)}
        />
      )}
    </div>
  )
}
