import { useState } from 'react'
import { graphql } from 'react-relay'
import type { ConnectMutation } from '../../__generated__/ConnectMutation.graphql'
import { useAction } from '../../core/action'
import type { Platform } from '../../core/enums'
import { ApiError } from '../../core/errors'
import { inWords, table } from '../../core/table'
import { toast } from '../../core/toast'
import { Dialog } from '../../ui/dialog'
import { Input, Segmented } from '../../ui/field'
import { Choices } from '../../ui/menu'
import { Note } from '../../ui/parts'
import { platformName } from '../../ui/platform'

const mutation = graphql`
  mutation ConnectMutation($input: ConnectIntegrationInput!) {
    connectIntegration(input: $input) {
      authorizeUrl
      integration {
        id
        ...Account_integration
      }
    }
  }
`

type Way = 'ACCESS_TOKEN' | 'APP_PASSWORD' | 'OAUTH2'

const ways = table<Way, string>({ OAUTH2: 'Sign in', ACCESS_TOKEN: 'Access token', APP_PASSWORD: 'App password' }, inWords)

// Connect asks for what a platform needs: a sign-in there, a token, or an app password.
export function Connect({
  platform,
  server,
  by,
  onClose,
  onDone,
}: {
  platform: Platform
  server?: string | null
  by: readonly Way[]
  onClose: () => void
  onDone: () => void
}) {
  const [way, setWay] = useState<Way>(by.includes('OAUTH2') ? 'OAUTH2' : (by[0] ?? 'ACCESS_TOKEN'))
  const [fields, setFields] = useState({
    server: server ?? '',
    accessToken: '',
    refreshToken: '',
    identifier: '',
    appPassword: '',
    account: '',
  })
  const [problem, setProblem] = useState<{ param: string; message: string } | null>(null)
  const [run, busy] = useAction<ConnectMutation>(mutation)
  const name = platformName(platform)
  const own = platform === 'MASTODON' || platform === 'BLUESKY'
  const send = (back: boolean) =>
    run({
      variables: {
        input: {
          platform,
          server: fields.server.trim() || null,
          ...(way === 'ACCESS_TOKEN' && { accessToken: fields.accessToken.trim(), refreshToken: fields.refreshToken.trim() || null }),
          ...(way === 'APP_PASSWORD' && { identifier: fields.identifier.trim(), appPassword: fields.appPassword.trim() }),
          account: fields.account.trim() || null,
          returnUrl: way === 'OAUTH2' && back ? `${location.origin}/console/connections` : null,
        },
      },
      done: (r) => {
        const url = r.connectIntegration?.authorizeUrl
        if (url && back) return location.assign(url)
        if (url) {
          open(url, '_blank', 'noopener')
          toast('Continue in the new window. The account is listed here once you consent.')
        } else toast('Connected. Posts go out through this account now.')
        onDone()
      },
      failed: (e) => {
        const param =
          e instanceof ApiError ? (e.param ?? '').replace(/^input\./, '').replace(/_([a-z])/g, (_, c: string) => c.toUpperCase()) : ''
        // Where this page's origin isn't configured the consent ends on a page of the service.
        if (param === 'returnUrl' && back) send(false)
        else setProblem({ param, message: e.message })
        return true
      },
    })
  const at = (key: keyof typeof fields) => ({
    value: fields[key],
    problem: problem?.param === key ? problem.message : undefined,
    onChange: (e: React.ChangeEvent<HTMLInputElement>) => {
      setFields({ ...fields, [key]: e.target.value })
      setProblem(null)
    },
  })
  return (
    <Dialog
      title={`Connect ${name}`}
      onClose={onClose}
      onSubmit={() => !busy && send(true)}
      footer={<Choices yes={way === 'OAUTH2' ? `Go to ${name}` : 'Connect'} busy={busy} onNo={onClose} />}
    >
      <div className="stack">
        {by.length > 1 && <Segmented label="How" value={way} options={by.map((w) => ({ value: w, label: ways(w) }))} onChange={setWay} />}
        {own && (
          <Input
            label="Server"
            optional={platform === 'BLUESKY'}
            placeholder={platform === 'BLUESKY' ? 'bsky.social' : 'mastodon.social'}
            {...at('server')}
          />
        )}
        {way === 'OAUTH2' && <p className="small muted">You sign in at {name} and allow posting. This page never sees the password.</p>}
        {way === 'ACCESS_TOKEN' && (
          <>
            <Input label="Access token" type="password" autoComplete="off" {...at('accessToken')} />
            {platform !== 'MASTODON' && (
              <Input
                label="Refresh token"
                optional
                type="password"
                autoComplete="off"
                hint="Renews the connection automatically."
                {...at('refreshToken')}
              />
            )}
          </>
        )}
        {way === 'APP_PASSWORD' && (
          <>
            <Input label="Handle or e-mail" placeholder="name.bsky.social" {...at('identifier')} />
            <Input
              label="App password"
              type="password"
              autoComplete="off"
              hint="Create one at Bluesky under Settings > Privacy and security > App passwords. Don’t use the account’s own password."
              {...at('appPassword')}
            />
          </>
        )}
        {platform === 'LINKEDIN' && (
          <Input
            label="Organization"
            optional
            placeholder="urn:li:organization:123"
            hint="Leave it empty to post as the member."
            {...at('account')}
          />
        )}
        {problem && !(problem.param in fields) && (
          <div role="alert">
            <Note tone="bad">{problem.message}</Note>
          </div>
        )}
      </div>
    </Dialog>
  )
}
