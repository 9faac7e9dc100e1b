import { useState } from 'react'
import { graphql } from 'react-relay'
import type { OwnAppRemoveMutation } from '../../__generated__/OwnAppRemoveMutation.graphql'
import type { OwnAppSetMutation } from '../../__generated__/OwnAppSetMutation.graphql'
import type { OwnQuery$data } from '../../__generated__/OwnQuery.graphql'
import { useAction } from '../../core/action'
import { toast } from '../../core/toast'
import { Dialog } from '../../ui/dialog'
import { Input } from '../../ui/field'
import { Choices } from '../../ui/menu'
import { platformName } from '../../ui/platform'
import { type Problems, saidBy } from '../new/form'
import { OwnCard } from './OwnCard'

type App = NonNullable<NonNullable<OwnQuery$data['tenant']>['twitter']>
type Of = { platform: 'TWITTER' | 'LINKEDIN'; app: App | null }

// OwnApp is the organization's own application at a platform.
export function OwnApp({ platform, app, onChange }: Of & { onChange: () => void }) {
  const [remove, removing] = useAction<OwnAppRemoveMutation>(graphql`
    mutation OwnAppRemoveMutation($platform: Platform!) {
      removeTenantPlatform(platform: $platform) {
        app {
          clientId
        }
      }
    }
  `)
  const name = platformName(platform)
  return (
    <OwnCard
      title={`Application at ${name}`}
      none={`Accounts on ${name} are connected through the service’s application, if it has one.`}
      at={app?.updatedAt}
      rows={
        app && [
          ['Client ID', app.clientId],
          ['Secret', app.clientSecretSet ? 'Stored, and never shown' : 'None'],
        ]
      }
      warning="Accounts are connected through the service’s application again. Disconnect those first that were connected through yours."
      busy={removing}
      onRemove={(done, failed) =>
        remove({ variables: { platform }, done: () => (toast('Removed.'), done(), onChange()), failed: (e) => (failed(e.message), true) })
      }
      form={(close) => (
        <Form
          platform={platform}
          app={app}
          onClose={close}
          onDone={() => (toast('Saved. Connect accounts through it from now on.'), close(), onChange())}
        />
      )}
    />
  )
}

function Form({ platform, app, onClose, onDone }: Of & { onClose: () => void; onDone: () => void }) {
  const [id, setId] = useState(app?.clientId ?? '')
  const [secret, setSecret] = useState('')
  const [problems, setProblems] = useState<Problems>({})
  const [run, busy] = useAction<OwnAppSetMutation>(graphql`
    mutation OwnAppSetMutation($platform: Platform!, $input: SetTenantPlatformInput!) {
      setTenantPlatform(platform: $platform, input: $input) {
        app {
          clientId
        }
      }
    }
  `)
  const keeps = app?.clientSecretSet && app.clientId === id.trim()
  const submit = () =>
    run({
      variables: { platform, input: { clientId: id.trim(), clientSecret: secret || (keeps ? null : '') } },
      done: onDone,
      failed: (e) => (setProblems(saidBy(e)), true),
    })
  const rest = Object.entries(problems).filter(([p]) => !/^client(Id|Secret)$/.test(p))
  return (
    <Dialog
      title={`Your own application at ${platformName(platform)}`}
      onClose={onClose}
      onSubmit={submit}
      footer={<Choices yes="Save" busy={busy} onNo={onClose} />}
    >
      <div className="stack">
        <Input label="Client ID" value={id} problem={problems.clientId} onChange={(e) => (setId(e.target.value), setProblems({}))} />
        <Input
          label="Client secret"
          type="password"
          autoComplete="new-password"
          optional={keeps || platform === 'TWITTER'}
          hint={keeps ? 'Empty: the stored one stays.' : 'It is encrypted, and never shown again.'}
          value={secret}
          problem={problems.clientSecret}
          onChange={(e) => (setSecret(e.target.value), setProblems({}))}
        />
        <Input
          label="Redirect URL"
          hint="Register it at the platform."
          readOnly
          value={`${location.origin}/integrations/callback/${platform.toLowerCase()}`}
          onFocus={(e) => e.currentTarget.select()}
        />
        {rest.map(([path, message]) => (
          <p key={path} className="problem" role="alert">
            {message}
          </p>
        ))}
      </div>
    </Dialog>
  )
}
