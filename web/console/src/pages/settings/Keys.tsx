import { useState } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay'
import type { KeysCreateMutation } from '../../__generated__/KeysCreateMutation.graphql'
import type { ApiKeyStatus, KeysQuery } from '../../__generated__/KeysQuery.graphql'
import type { KeysRevokeMutation } from '../../__generated__/KeysRevokeMutation.graphql'
import type { KeysRotateMutation } from '../../__generated__/KeysRotateMutation.graphql'
import { useAction } from '../../core/action'
import { useEdits } from '../../core/edits'
import { count, plural } from '../../core/format'
import { useFresh } from '../../core/live'
import { useProblems } from '../../core/problems'
import type { Permission } from '../../core/session'
import { table } from '../../core/table'
import { toast } from '../../core/toast'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Check, Input, Select } from '../../ui/field'
import { Choices, Menu } from '../../ui/menu'
import { Badge, Empty, Note, type Tone } from '../../ui/parts'
import { Problem } from '../../ui/problem'
import { State, unknown } from '../../ui/status'
import { Time } from '../../ui/time'
import { Secret } from './Secret'

const scopes: [Permission, string][] = [
  ['MISSIONS_READ', 'Read missions and events'],
  ['MISSIONS_WRITE', 'Change and run missions'],
  ['CONTENT_READ', 'Read posts'],
  ['CONTENT_WRITE', 'Review and write posts'],
  ['ANALYTICS_READ', 'Read analytics'],
  ['INTEGRATIONS_READ', 'View connections and webhooks'],
  ['INTEGRATIONS_WRITE', 'Manage connections and webhooks'],
  ['ADMIN', 'Everything, including keys and members'],
]

const states = table<ApiKeyStatus, [string, Tone]>(
  { ACTIVE: ['Active', 'ok'], ROTATING: ['Being rotated', 'warn'], REVOKED: ['Revoked', ''] },
  unknown,
)

// Keys are the credentials of the tenant's own programs.
export default function Keys() {
  const [fetchKey, refresh] = useFresh(['API_KEYS'])
  const [making, setMaking] = useState(false)
  const [asking, setAsking] = useState<{ id: string; name: string; what: 'revoke' | 'rotate' } | null>(null)
  const [secret, setSecret] = useState<{ title: string; key: string } | null>(null)
  const { apiKeys } = useLazyLoadQuery<KeysQuery>(
    graphql`
      query KeysQuery {
        apiKeys(first: 100) {
          edges {
            node {
              id
              name
              keyPrefix
              scopes
              status
              lastUsedAt
              expiresAt
              validUntil
              createdAt
              createdBy {
                id
                name
                email
              }
              usage {
                last30Days
              }
            }
          }
        }
      }
    `,
    {},
    { fetchPolicy: 'store-and-network', fetchKey },
  )
  const shown = (title: string, key: string) => {
    setMaking(false)
    setAsking(null)
    setSecret({ title, key })
    refresh()
  }
  const keys = (apiKeys?.edges ?? []).map((e) => e.node).sort((a, b) => Number(a.status === 'REVOKED') - Number(b.status === 'REVOKED'))
  return (
    <div className="stack wide">
      <div className="row spread">
        <p className="muted small">For your own programs. Each key has only the scopes you give it.</p>
        <Button look="primary" icon="plus" onClick={() => setMaking(true)}>
          New key
        </Button>
      </div>
      {keys.length === 0 ? (
        <Empty icon="key" title="No keys yet">
          A program sends its key with each request to the API.
        </Empty>
      ) : (
        <div className="card scrolls" tabIndex={0} role="region" aria-label="API keys">
          <table className="table stacked">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Scopes</th>
                <th scope="col">Created</th>
                <th scope="col">Last used</th>
                <th scope="col" className="right">
                  In 30 days
                </th>
                <th scope="col">State</th>
                <th scope="col">
                  <span className="hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {keys.map((k) => {
                return (
                  <tr key={k.id} className={k.status === 'REVOKED' ? 'gone' : ''}>
                    <td>
                      <span className="strong">{k.name}</span>
                      <br />
                      <code className="faint xsmall">{k.keyPrefix}…</code>
                    </td>
                    <td className="xsmall" data-label="Scopes">
                      {k.scopes.includes('ADMIN') ? (
                        <Badge tone="warn" plain>
                          everything
                        </Badge>
                      ) : (
                        plural(k.scopes.length, 'scope')
                      )}
                    </td>
                    <td className="muted" data-label="Created">
                      <Time at={k.createdAt} date />
                      <div className="xsmall">by {k.createdBy?.name ?? k.createdBy?.email ?? 'a member who was removed'}</div>
                    </td>
                    <td className="muted" data-label="Last used">
                      {k.lastUsedAt ? <Time at={k.lastUsedAt} exact /> : 'never'}
                    </td>
                    <td className="right" data-label="In 30 days">
                      {count(k.usage.last30Days)}
                    </td>
                    <td data-label="State">
                      <State of={states(k.status)} />
                      {k.validUntil && k.status === 'ROTATING' && (
                        <span className="xsmall muted">
                          {' until '}
                          <Time at={k.validUntil} exact />
                        </span>
                      )}
                      {k.expiresAt && k.status === 'ACTIVE' && (
                        <span className="xsmall muted">
                          {' expires '}
                          <Time at={k.expiresAt} date />
                        </span>
                      )}
                    </td>
                    <td className="right">
                      {k.status !== 'REVOKED' && (
                        <Menu
                          label={`Actions for ${k.name}`}
                          items={[
                            {
                              label: 'Rotate',
                              icon: 'redo',
                              disabled: k.status === 'ACTIVE' ? undefined : 'It is being rotated',
                              onSelect: () => setAsking({ id: k.id, name: k.name, what: 'rotate' }),
                            },
                            {
                              label: 'Revoke',
                              icon: 'x',
                              danger: true,
                              onSelect: () => setAsking({ id: k.id, name: k.name, what: 'revoke' }),
                            },
                          ]}
                        />
                      )}
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
      )}
      {making && <NewKey onClose={() => setMaking(false)} onMade={(key) => shown('The new key', key)} />}
      {asking?.what === 'revoke' && <Revoke {...asking} onClose={() => setAsking(null)} onDone={() => (setAsking(null), refresh())} />}
      {asking?.what === 'rotate' && <Rotate {...asking} onClose={() => setAsking(null)} onMade={(key) => shown('The new key', key)} />}
      {secret && (
        <Secret
          title={secret.title}
          secret={secret.key}
          about="Send it as “Authorization: Bearer <key>”."
          onClose={() => setSecret(null)}
        />
      )}
    </div>
  )
}

function NewKey({ onClose, onMade }: { onClose: () => void; onMade: (key: string) => void }) {
  const first: { name: string; chosen: Permission[]; days: string } = { name: '', chosen: ['MISSIONS_READ', 'CONTENT_READ'], days: '90' }
  const { values, typed, set, forget } = useEdits('key', first)
  const { name, chosen, days } = values
  const { of, rest, say, clear, failed } = useProblems('name', 'expiresInDays')
  const [run, busy] = useAction<KeysCreateMutation>(graphql`
    mutation KeysCreateMutation($input: CreateApiKeyInput!) {
      createApiKey(input: $input) {
        key
      }
    }
  `)
  const submit = () => {
    if (!name.trim()) return say({ name: 'Enter a name.' })
    if (chosen.length === 0) return say({ scopes: 'Choose at least one thing that it may do.' })
    run({
      variables: { input: { name: name.trim(), scopes: chosen, expiresInDays: days ? Number(days) : null } },
      done: (r) => (forget(), onMade(r.createApiKey!.key)),
      failed,
    })
  }
  return (
    <Dialog
      title="New API key"
      onClose={onClose}
      onSubmit={submit}
      footer={<Choices no={typed ? 'Discard' : 'Cancel'} yes="Create key" busy={busy} onNo={() => (forget(), onClose())} />}
    >
      <div className="stack">
        <Input
          label="Name"
          hint="For example, the program that uses it."
          maxLength={100}
          value={name}
          problem={of('name')}
          onChange={(e) => (set({ name: e.target.value }), clear())}
        />
        <fieldset className="stack tight">
          <legend className="legend">It may</legend>
          {scopes.map(([s, words]) => (
            <Check
              key={s}
              label={words}
              checked={chosen.includes(s)}
              onChange={(e) => (set({ chosen: e.target.checked ? [...chosen, s] : chosen.filter((x) => x !== s) }), clear())}
            />
          ))}
        </fieldset>
        {chosen.includes('ADMIN') && <Note tone="warn">Whoever has this key can do everything, including creating more keys.</Note>}
        <Select label="Expires" value={days} problem={of('expiresInDays')} onChange={(e) => (set({ days: e.target.value }), clear())}>
          <option value="30">in 30 days</option>
          <option value="90">in 90 days</option>
          <option value="365">in a year</option>
          <option value="">never</option>
        </Select>
        <Problem of={rest} />
      </div>
    </Dialog>
  )
}

function Revoke({ id, name, onClose, onDone }: { id: string; name: string; onClose: () => void; onDone: () => void }) {
  const [run, busy] = useAction<KeysRevokeMutation>(graphql`
    mutation KeysRevokeMutation($id: ID!) {
      revokeApiKey(id: $id) {
        alsoRevokedIds
        apiKey {
          id
          status
        }
      }
    }
  `)
  const revoke = () =>
    run({
      variables: { id },
      done: (r) => {
        const n = r.revokeApiKey!.alsoRevokedIds.length
        toast(n > 0 ? `Revoked, along with ${plural(n, 'key')} created with it.` : 'Revoked.')
        onDone()
      },
    })
  return (
    <Dialog
      title={`Revoke “${name}”?`}
      onClose={onClose}
      footer={<Choices no="Keep it" yes="Revoke" danger busy={busy} onNo={onClose} onYes={revoke} />}
    >
      <p>Programs that use it are refused from now on, and so are keys that were created with it. This can’t be undone.</p>
    </Dialog>
  )
}

function Rotate({ id, name, onClose, onMade }: { id: string; name: string; onClose: () => void; onMade: (key: string) => void }) {
  const [days, setDays] = useState('7')
  const [run, busy] = useAction<KeysRotateMutation>(graphql`
    mutation KeysRotateMutation($id: ID!, $days: Int) {
      rotateApiKey(id: $id, gracePeriodDays: $days) {
        key
        oldApiKey {
          id
          status
          validUntil
        }
      }
    }
  `)
  const rotate = () => run({ variables: { id, days: Number(days) }, done: (r) => onMade(r.rotateApiKey!.key) })
  return (
    <Dialog
      title={`Rotate “${name}”`}
      about="A new key with the same scopes replaces it."
      onClose={onClose}
      onSubmit={rotate}
      footer={<Choices yes="Rotate key" busy={busy} onNo={onClose} />}
    >
      <Select label="The old key works for" value={days} onChange={(e) => setDays(e.target.value)}>
        <option value="0">not at all</option>
        <option value="1">one day</option>
        <option value="7">seven days</option>
        <option value="30">30 days</option>
      </Select>
    </Dialog>
  )
}
