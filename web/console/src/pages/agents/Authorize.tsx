import { useState } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay'
import type { AuthorizeAllowMutation } from '../../__generated__/AuthorizeAllowMutation.graphql'
import type { AuthorizeQuery } from '../../__generated__/AuthorizeQuery.graphql'
import { useAction } from '../../core/action'
import { useEdits } from '../../core/edits'
import { dayYear } from '../../core/format'
import { useProblems } from '../../core/problems'
import type { Permission } from '../../core/session'
import { askedForAgent, forgetAgent } from '../../core/signin'
import { Button } from '../../ui/button'
import { Check, Input, Select } from '../../ui/field'
import { Card, Empty, Note, PageHead } from '../../ui/parts'
import { Problem } from '../../ui/problem'
import { scopeWords } from './scopes'

// requestOf returns an application's request, as the address has it.
function requestOf(search: string) {
  const q = new URLSearchParams(search)
  const optional = (name: string) => (q.has(name) ? { [name]: q.get(name)! } : {})
  return {
    clientId: q.get('client_id') ?? '',
    redirectUri: q.get('redirect_uri') ?? '',
    codeChallenge: q.get('code_challenge') ?? '',
    ...optional('scope'),
    ...optional('state'),
  }
}

// Authorize asks somebody whether an application may act for them.
export default function Authorize() {
  const [search] = useState(askedForAgent)
  if (!search)
    return (
      <Empty page icon="plug" title="No application asks for anything">
        Begin in the application that you want to connect.
      </Empty>
    )
  return <Consent request={requestOf(search)} />
}

// whole returns the number that a field has, null for an empty one.
const whole = (text: string) => (text.trim() === '' ? null : Math.round(Number(text)))

// What is filled in at first.
const first = {
  refused: [] as readonly Permission[],
  dollars: '',
  posts: '',
  only: false,
  chosen: [] as readonly string[],
  days: '90',
  replace: true,
}

function Consent({ request }: { request: ReturnType<typeof requestOf> }) {
  const { agentRequest: asked, missions } = useLazyLoadQuery<AuthorizeQuery>(
    graphql`
      query AuthorizeQuery($request: AgentRequestInput!) {
        agentRequest(request: $request) {
          name
          describedBy
          redirectHost
          tenantName
          scopes
          denyUrl
          replaces {
            id
            createdAt
          }
        }
        missions(first: 50) {
          edges {
            node {
              id
              name
            }
          }
        }
      }
    `,
    { request },
  )
  const [runAllow, allowing] = useAction<AuthorizeAllowMutation>(graphql`
    mutation AuthorizeAllowMutation($input: AllowAgentInput!) {
      allowAgent(input: $input) {
        redirectUrl
      }
    }
  `)
  const { values, set: edit, forget } = useEdits(`agent ${request.clientId}`, first)
  const { refused, dollars, posts, only, chosen, days, replace } = values
  const { of, rest, clear, failed } = useProblems('leash.centsPerDay', 'leash.postsPerDay', 'expiresInDays')
  const set = (change: Partial<typeof first>) => (edit(change), clear())
  if (!asked) return null
  const scopes = asked.scopes.filter((s) => !refused.includes(s))
  const toggled = <T,>(list: readonly T[], item: T) => (list.includes(item) ? list.filter((i) => i !== item) : [...list, item])
  const cents = dollars.trim() === '' ? null : Math.round(Number(dollars) * 100)
  const leash = {
    ...(cents === null ? {} : { centsPerDay: cents }),
    ...(whole(posts) === null ? {} : { postsPerDay: whole(posts)! }),
    ...(only ? { missionIds: [...chosen] } : {}),
  }
  const leave = (url: string) => {
    forget()
    forgetAgent()
    location.assign(url)
  }
  const allow = () =>
    runAllow({
      variables: { input: { request, scopes, leash, expiresInDays: Number(days), replace } },
      done: (r) => r.allowAgent && leave(r.allowAgent.redirectUrl),
      failed,
    })
  return (
    <div className="page settings">
      <PageHead title={`Connect ${asked.name}?`} />
      <form
        className="stack wide"
        onSubmit={(e) => {
          e.preventDefault()
          allow()
        }}
      >
        <p>
          <span className="strong">{asked.name}</span> asks to act for you in <span className="strong">{asked.tenantName}</span>. Afterwards
          you go back to <span className="strong">{asked.redirectHost}</span>.
        </p>
        {asked.describedBy ? (
          <p className="muted small">The application is described by {asked.describedBy}.</p>
        ) : (
          <Note tone="warn">Nothing proves whose application this is. Go on only if you have just begun this in it yourself.</Note>
        )}
        <Card title="What it may do">
          <div className="stack">
            {asked.scopes.map((s) => (
              <Check key={s} label={scopeWords(s)} checked={!refused.includes(s)} onChange={() => set({ refused: toggled(refused, s) })} />
            ))}
            {asked.scopes.length === 0 && <p>You have none of the rights that it asks for.</p>}
            <p className="muted small">
              It never changes keys, members or connections, and approves posts only where an administrator has allowed that.
            </p>
          </div>
        </Card>
        <Card title="How much">
          <div className="stack">
            <Input
              label="US dollars a day"
              optional
              type="number"
              min="0"
              step="0.01"
              hint="The budgets that it sets, and the fees of its posts"
              value={dollars}
              problem={of('leash.centsPerDay')}
              onChange={(e) => set({ dollars: e.target.value })}
            />
            <Input
              label="Posts a day"
              optional
              type="number"
              min="0"
              step="1"
              value={posts}
              problem={of('leash.postsPerDay')}
              onChange={(e) => set({ posts: e.target.value })}
            />
            <Select label="Until" value={days} problem={of('expiresInDays')} onChange={(e) => set({ days: e.target.value })}>
              <option value="1">Tomorrow</option>
              <option value="7">In 7 days</option>
              <option value="30">In 30 days</option>
              <option value="90">In 90 days</option>
              <option value="365">In a year</option>
            </Select>
            <Check label="Only some missions" checked={only} onChange={(e) => set({ only: e.target.checked })} />
            {only && (
              <fieldset className="stack">
                <legend className="hidden">Missions</legend>
                {(missions?.edges ?? []).map(({ node: m }) => (
                  <Check
                    key={m.id}
                    label={m.name}
                    checked={chosen.includes(m.id)}
                    onChange={() => set({ chosen: toggled(chosen, m.id) })}
                  />
                ))}
              </fieldset>
            )}
          </div>
        </Card>
        {asked.replaces && (
          <Check
            label={`End the agent of the same name that you allowed on ${dayYear(asked.replaces.createdAt)}`}
            checked={replace}
            onChange={(e) => set({ replace: e.target.checked })}
          />
        )}
        <Problem of={rest} />
        <div className="row">
          <Button look="primary" type="submit" busy={allowing} disabled={scopes.length === 0 || (only && chosen.length === 0)}>
            Allow
          </Button>
          <Button type="button" onClick={() => leave(asked.denyUrl)}>
            Refuse
          </Button>
        </div>
        <p className="muted small">You can revoke it at any time in Settings, Agents.</p>
      </form>
    </div>
  )
}
