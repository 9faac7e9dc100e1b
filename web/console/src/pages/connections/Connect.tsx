import { useState } from 'react'
import { graphql } from 'react-relay'
import type { ConnectMutation } from '../../__generated__/ConnectMutation.graphql'
import { useAction } from '../../core/action'
import { useEdits } from '../../core/edits'
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

type Field = { name: string; auth?: string | null; required: boolean; label: string; hint: string }

const inCamel = (name: string) => name.replace(/_([a-z])/g, (_, c: string) => c.toUpperCase())

const secrets: readonly string[] = ['access_token', 'refresh_token', 'app_password']

// Connect asks for what a platform needs: a sign-in there, a token, or an app password.
export function Connect({
  platform,
  server,
  by,
  fields,
  onClose,
  onDone,
}: {
  platform: Platform
  server?: string | null
  by: readonly Way[]
  fields: readonly Field[]
  onClose: () => void
  onDone: () => void
}) {
  const [way, setWay] = useState<Way>(by.includes('OAUTH2') ? 'OAUTH2' : (by[0] ?? 'ACCESS_TOKEN'))
  const saved: Record<string, string> = { server: server ?? '' }
  const { values: given, typed, secret, set, forget } = useEdits(`connect ${platform}`, saved, ...secrets)
  const [problem, setProblem] = useState<{ param: string; message: string } | null>(null)
  const [run, busy] = useAction<ConnectMutation>(mutation)
  const name = platformName(platform)
  const asked = fields.filter((f) => f.label && (!f.auth || f.auth === way))
  const send = (back: boolean) =>
    run({
      variables: {
        input: {
          platform,
          ...Object.fromEntries(asked.map((f) => [inCamel(f.name), given[f.name]?.trim() || null])),
          returnUrl: way === 'OAUTH2' && back ? `${location.origin}/console/connections` : null,
        },
      },
      done: (r) => {
        const url = r.connectIntegration?.authorizeUrl
        forget()
        if (url && back) return location.assign(url)
        if (url) {
          open(url, '_blank', 'noopener')
          toast('Continue in the new window. The account is listed here once you consent.')
        } else toast('Connected. Posts go out through this account now.')
        onDone()
      },
      failed: (e) => {
        const param = e instanceof ApiError ? inCamel((e.param ?? '').replace(/^input\./, '')) : ''
        // Where this page's origin isn't configured the consent ends on a page of the service.
        if (param === 'returnUrl' && back) send(false)
        else setProblem({ param, message: e.message })
        return true
      },
    })
  return (
    <Dialog
      title={`Connect ${name}`}
      onClose={onClose}
      asks={secret}
      onSubmit={() => !busy && send(true)}
      footer={
        <Choices
          no={typed ? 'Discard' : 'Cancel'}
          yes={way === 'OAUTH2' ? `Go to ${name}` : 'Connect'}
          busy={busy}
          onNo={() => (forget(), onClose())}
        />
      }
    >
      <div className="stack">
        {by.length > 1 && <Segmented label="How" value={way} options={by.map((w) => ({ value: w, label: ways(w) }))} onChange={setWay} />}
        {way === 'OAUTH2' && <p className="small muted">You sign in at {name} and allow posting. This page never sees the password.</p>}
        {asked.map((f) => (
          <Input
            key={f.name}
            label={f.label}
            optional={!f.required}
            hint={f.hint || undefined}
            {...(secrets.includes(f.name) && { type: 'password', autoComplete: 'off' })}
            value={given[f.name] ?? ''}
            problem={problem?.param === inCamel(f.name) ? problem.message : undefined}
            onChange={(e) => {
              set({ [f.name]: e.target.value })
              setProblem(null)
            }}
          />
        ))}
        {problem && !asked.some((f) => inCamel(f.name) === problem.param) && (
          <div role="alert">
            <Note tone="bad">{problem.message}</Note>
          </div>
        )}
      </div>
    </Dialog>
  )
}
