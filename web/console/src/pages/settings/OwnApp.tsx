import { graphql } from 'react-relay'
import type { OwnAppRemoveMutation } from '../../__generated__/OwnAppRemoveMutation.graphql'
import type { OwnAppSetMutation } from '../../__generated__/OwnAppSetMutation.graphql'
import type { OwnQuery$data } from '../../__generated__/OwnQuery.graphql'
import { useAction } from '../../core/action'
import { useEdits } from '../../core/edits'
import { useProblems } from '../../core/problems'
import { toast } from '../../core/toast'
import { Dialog } from '../../ui/dialog'
import { Input } from '../../ui/field'
import { Choices } from '../../ui/menu'
import { platformName } from '../../ui/platform'
import { Problem } from '../../ui/problem'
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
  const { values, typed, secret: asks, set, forget } = useEdits(`own-app ${platform}`, { id: app?.clientId ?? '', secret: '' }, 'secret')
  const { id, secret } = values
  const { of, rest, clear, failed } = useProblems('clientId', 'clientSecret')
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
      done: () => (forget(), onDone()),
      failed,
    })
  return (
    <Dialog
      title={`Your own application at ${platformName(platform)}`}
      onClose={onClose}
      asks={asks}
      onSubmit={submit}
      footer={<Choices no={typed ? 'Discard' : 'Cancel'} yes="Save" busy={busy} onNo={() => (forget(), onClose())} />}
    >
      <div className="stack">
        <Input label="Client ID" value={id} problem={of('clientId')} onChange={(e) => (set({ id: e.target.value }), clear())} />
        <Input
          label="Client secret"
          type="password"
          autoComplete="new-password"
          optional={keeps || platform === 'TWITTER'}
          hint={keeps ? 'Empty: the stored one stays.' : 'It is encrypted, and never shown again.'}
          value={secret}
          problem={of('clientSecret')}
          onChange={(e) => (set({ secret: e.target.value }), clear())}
        />
        <Input
          label="Redirect URL"
          hint="Register it at the platform."
          readOnly
          value={`${location.origin}/integrations/callback/${platform.toLowerCase()}`}
          onFocus={(e) => e.currentTarget.select()}
        />
        <Problem of={rest} />
      </div>
    </Dialog>
  )
}
