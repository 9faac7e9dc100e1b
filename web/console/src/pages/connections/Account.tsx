import { Fragment, lazy, Suspense, useState } from 'react'
import { graphql, useFragment } from 'react-relay'
import { Link } from 'wouter'
import type { Account_integration$key, IntegrationStatus } from '../../__generated__/Account_integration.graphql'
import type { AccountDisconnectMutation } from '../../__generated__/AccountDisconnectMutation.graphql'
import type { AccountTestMutation } from '../../__generated__/AccountTestMutation.graphql'
import type { AccountUpdateMutation } from '../../__generated__/AccountUpdateMutation.graphql'
import { useAction } from '../../core/action'
import { serviceNow } from '../../core/clock'
import { useEdits } from '../../core/edits'
import { count, dateOf, readable } from '../../core/format'
import { useProblems } from '../../core/problems'
import { useMay } from '../../core/session'
import { table } from '../../core/table'
import { toast } from '../../core/toast'
import { addDays } from '../../core/zone'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Input } from '../../ui/field'
import { Choices, Menu } from '../../ui/menu'
import { platformName } from '../../ui/platform'
import { Avatar, Badge, Note, type Tone } from '../../ui/parts'
import { Problem } from '../../ui/problem'
import { State, unknown } from '../../ui/status'
import { Time } from '../../ui/time'

const Followers = lazy(() => import('./Followers'))

const test = graphql`
  mutation AccountTestMutation($id: ID!) {
    testIntegration(id: $id) {
      ok
      durationMs
      error
      integration {
        ...Account_integration
      }
    }
  }
`
const update = graphql`
  mutation AccountUpdateMutation($id: ID!, $input: UpdateIntegrationInput!) {
    updateIntegration(id: $id, input: $input) {
      integration {
        ...Account_integration
      }
    }
  }
`
const disconnect = graphql`
  mutation AccountDisconnectMutation($id: ID!) {
    disconnectIntegration(id: $id) {
      deletedId
    }
  }
`

const states = table<IntegrationStatus, [string, Tone]>(
  { CONNECTED: ['Connected', 'ok'], PENDING: ['Waiting for consent', 'warn'], NEEDS_RECONNECT: ['Reconnect', 'bad'] },
  unknown,
)

// Account is a connected account, and what can be done with it; followed, whether its platform says
// how many follow it.
export function Account({
  integration,
  followed,
  onReconnect,
  onGone,
}: {
  integration: Account_integration$key
  followed: boolean
  onReconnect: (server: string | null) => void
  onGone: () => void
}) {
  const i = useFragment(
    graphql`
      fragment Account_integration on Integration {
        id
        platform
        status
        default
        label
        server
        expiresAt
        checkedAt
        lastError {
          message
        }
        account {
          handle
          name
          url
        }
        usage {
          waitingPosts
          lastPublishedAt
          missions {
            id
            name
          }
        }
      }
    `,
    integration,
  )
  const may = useMay('INTEGRATIONS_WRITE')
  const [open, setOpen] = useState<'label' | 'disconnect' | null>(null)
  const [shown, setShown] = useState(false)
  const [runTest, testing] = useAction<AccountTestMutation>(test)
  const [runUpdate] = useAction<AccountUpdateMutation>(update)
  const [runDisconnect, disconnecting] = useAction<AccountDisconnectMutation>(disconnect)
  const name = i.label ?? i.account?.name ?? i.account?.handle ?? 'An account'
  const missions = i.usage?.missions ?? []
  const posts = i.usage?.waitingPosts ?? 0
  // The service counts a thousand.
  const waiting =
    posts === 0 ? 'No posts wait' : posts === 1 ? '1 post waits' : `${count(posts)}${posts >= 1000 ? ' or more' : ''} posts wait`
  const reason = i.lastError && readable(i.lastError.message).replace(/^The platform refused the credentials(: )?|\.$/g, '')
  const close = () => setOpen(null)
  const check = () =>
    runTest({
      variables: { id: i.id },
      done: (r) => {
        const t = r.testIntegration!
        toast(
          t.ok ? `The connection works (${t.durationMs} ms).` : (t.error ?? 'The connection doesn’t work.'),
          t.ok ? {} : { tone: 'bad' },
        )
      },
    })
  return (
    <li className="account-row">
      <Avatar name={name} />
      <div className="grow">
        <p className="row wrap">
          <span className="strong">{name}</span>
          {i.account?.handle && <span className="muted small">@{i.account.handle}</span>}
          {i.default && <Badge plain>Default</Badge>}
        </p>
        <p className="xsmall muted">
          {i.server && <>{i.server.replace(/^https?:\/\//, '')} · </>}
          {i.checkedAt ? (
            <>
              last worked <Time at={i.checkedAt} />
            </>
          ) : (
            'not checked yet'
          )}
          {i.expiresAt && (
            <>
              {' · access expires '}
              <Time at={i.expiresAt} ahead />
            </>
          )}
        </p>
        {i.usage && (
          <p className="xsmall muted">
            {waiting}
            {i.usage.lastPublishedAt && (
              <>
                {' · last published '}
                <Time at={i.usage.lastPublishedAt} />
              </>
            )}
            {missions.length > 0 && ' · used by '}
            {missions.slice(0, 3).map((m, n) => (
              <Fragment key={m.id}>
                {n > 0 && ', '}
                <Link className="link" href={`/missions/${m.id}`}>
                  {m.name}
                </Link>
              </Fragment>
            ))}
            {missions.length > 3 && ` and ${missions.length - 3}${missions.length === 10 ? ' or more' : ''} others`}
          </p>
        )}
        {i.status === 'NEEDS_RECONNECT' && (
          <Note tone="bad">
            {platformName(i.platform)} no longer accepts this account{reason && ` (${reason})`}. {waiting}. Connect again.
          </Note>
        )}
      </div>
      <State of={states(i.status)} />
      {may && i.status !== 'CONNECTED' && (
        <Button look="primary" onClick={() => onReconnect(i.server ?? null)}>
          Connect again
        </Button>
      )}
      {may && i.status === 'CONNECTED' && (
        <Button busy={testing} onClick={check}>
          Test
        </Button>
      )}
      {may && (
        <Menu
          label={`Actions for ${name}`}
          items={[
            {
              label: 'Make default',
              icon: 'check',
              disabled: i.default ? 'This is the default' : undefined,
              onSelect: () =>
                runUpdate({
                  variables: { id: i.id, input: { default: true } },
                  done: () => (onGone(), toast('This is now the default account.')),
                }),
            },
            { label: 'Rename', icon: 'edit', onSelect: () => setOpen('label') },
            'line',
            { label: 'Disconnect', icon: 'x', danger: true, onSelect: () => setOpen('disconnect') },
          ]}
        />
      )}
      {followed && i.status !== 'PENDING' && (
        <details className="followers" onToggle={(e) => setShown(e.currentTarget.open)}>
          <summary className="xsmall">Followers</summary>
          {shown && (
            <Suspense fallback={<div className="chart-place" />}>
              <Followers id={i.id} from={addDays(dateOf(serviceNow(), 'UTC'), -89)} />
            </Suspense>
          )}
        </details>
      )}
      {open === 'label' && <Rename id={i.id} label={i.label ?? ''} onClose={close} />}
      {open === 'disconnect' && (
        <Dialog
          title={`Disconnect ${name}?`}
          onClose={close}
          footer={
            <Choices
              no="Keep it"
              yes="Disconnect"
              danger
              busy={disconnecting}
              onNo={close}
              onYes={() =>
                runDisconnect({
                  variables: { id: i.id },
                  done: () => (close(), onGone(), toast('Disconnected. Its credentials are deleted.')),
                })
              }
            />
          }
        >
          <p>Its credentials are deleted. Its waiting posts go out once it is connected again. Posts that are being published now fail.</p>
        </Dialog>
      )}
    </li>
  )
}

function Rename({ id, label, onClose }: { id: string; label: string; onClose: () => void }) {
  const { values, typed, set, forget } = useEdits(`rename ${id}`, { label })
  const { of, rest, clear, failed } = useProblems('label')
  const [run, busy] = useAction<AccountUpdateMutation>(update)
  const close = () => (forget(), onClose())
  return (
    <Dialog
      title="Rename the account"
      onClose={onClose}
      onSubmit={() => run({ variables: { id, input: values }, done: close, failed })}
      footer={<Choices no={typed ? 'Discard' : 'Cancel'} yes="Save" busy={busy} onNo={close} />}
    >
      <Input
        label="Name"
        optional
        maxLength={100}
        value={values.label}
        problem={of('label')}
        onChange={(e) => (set({ label: e.target.value }), clear())}
      />
      <Problem of={rest} />
    </Dialog>
  )
}
