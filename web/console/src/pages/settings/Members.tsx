import { lazy, Suspense, useState } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay'
import type { MembersEndMutation } from '../../__generated__/MembersEndMutation.graphql'
import type { MembersQuery } from '../../__generated__/MembersQuery.graphql'
import type { MembersRemoveMutation } from '../../__generated__/MembersRemoveMutation.graphql'
import type { MembersUpdateMutation } from '../../__generated__/MembersUpdateMutation.graphql'
import { useAction } from '../../core/action'
import { plural } from '../../core/format'
import { useFresh } from '../../core/live'
import { useViewer } from '../../core/session'
import { inWords, table } from '../../core/table'
import { toast } from '../../core/toast'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Check } from '../../ui/field'
import { Choices, Menu } from '../../ui/menu'
import { Avatar, Badge, Skeleton } from '../../ui/parts'
import { Time } from '../../ui/time'
import { copy } from './Secret'

const Sessions = lazy(() => import('./Sessions'))

const link = `${location.origin}/console/login`

const roles = table({ ADMIN: 'Admin', EDITOR: 'Editor', VIEWER: 'Viewer' }, inWords)

// Members are the people of the tenant. They join by signing in with its organization.
export default function Members() {
  const [fetchKey, refresh] = useFresh(['MEMBERS'])
  const [removing, setRemoving] = useState<{ id: string; name: string } | null>(null)
  const [signedIn, setSignedIn] = useState<{ id: string; name: string } | null>(null)
  const [revoke, setRevoke] = useState(true)
  const { user: me } = useViewer()
  const { tenant } = useLazyLoadQuery<MembersQuery>(
    graphql`
      query MembersQuery {
        tenant {
          members(first: 100) {
            totalCount
            edges {
              node {
                id
                email
                name
                role
                firstAdmin
                lastSeenAt
                createdAt
              }
            }
          }
        }
      }
    `,
    {},
    { fetchPolicy: 'store-and-network', fetchKey },
  )
  const [runUpdate] = useAction<MembersUpdateMutation>(graphql`
    mutation MembersUpdateMutation($id: ID!, $role: Role!) @raw_response_type {
      updateMember(id: $id, role: $role) {
        member {
          id
          role
        }
      }
    }
  `)
  const [runEnd] = useAction<MembersEndMutation>(graphql`
    mutation MembersEndMutation($id: ID!) {
      endMemberSessions(id: $id) {
        sessionsEnded
      }
    }
  `)
  const [runRemove, busy] = useAction<MembersRemoveMutation>(graphql`
    mutation MembersRemoveMutation($id: ID!, $keys: MemberKeys) {
      removeMember(id: $id, keys: $keys) {
        deletedId
        sessionsEnded
        keys {
          id
          status
        }
      }
    }
  `)
  const members = tenant?.members?.edges.map((e) => e.node) ?? []
  const remove = () =>
    runRemove({
      variables: { id: removing!.id, keys: revoke ? 'REVOKE' : 'KEEP' },
      done: (r) => {
        const n = r.removeMember!.keys.length
        toast(
          n === 0
            ? 'Removed.'
            : revoke
              ? `Removed, and ${plural(n, 'key')} revoked.`
              : `Removed. ${plural(n, 'key')} of theirs still ${n === 1 ? 'works' : 'work'}.`,
        )
        setRemoving(null)
        refresh()
      },
    })
  return (
    <div className="stack wide">
      <div className="row wrap">
        <p className="muted small grow">
          People join by signing in with your organization at <span className="anywhere">{link}</span>. Here you decide what they may do.
        </p>
        <Button icon="copy" onClick={() => copy(link)}>
          Copy sign-in link
        </Button>
      </div>
      <ul className="card rows members">
        {members.map((m) => {
          const name = m.name ?? m.email ?? m.id
          return (
            <li key={m.id} className="member">
              <Avatar name={name} />
              <div className="grow">
                <p className="row">
                  <span className="strong clip">{name}</span>
                  {m.id === me.id && <Badge plain>You</Badge>}
                  {m.firstAdmin && <Badge plain>First admin</Badge>}
                </p>
                <p className="xsmall muted">
                  {m.name && m.email ? `${m.email} · ` : ''}joined <Time at={m.createdAt} date />
                  {m.firstAdmin ? (
                    ' with the organization: nobody signs in as this member'
                  ) : m.lastSeenAt ? (
                    <>
                      {' · last seen '}
                      <Time at={m.lastSeenAt} />
                    </>
                  ) : (
                    ' · not signed in'
                  )}
                </p>
              </div>
              <select
                className="input short"
                aria-label={`Role of ${name}`}
                value={m.role}
                disabled={m.id === me.id}
                onChange={(e) => {
                  const role = e.target.value as typeof m.role
                  runUpdate({
                    variables: { id: m.id, role },
                    optimistic: { updateMember: { member: { id: m.id, role } } },
                    done: () => toast(`${name} is ${role === 'VIEWER' ? 'a viewer' : `an ${role.toLowerCase()}`} now.`),
                  })
                }}
              >
                {[...new Set([...roles.keys, m.role])].map((r) => (
                  <option key={r} value={r}>
                    {roles(r)}
                  </option>
                ))}
              </select>
              <Menu
                label={`Actions for ${name}`}
                items={[
                  { label: 'Sessions', icon: 'clock', onSelect: () => setSignedIn({ id: m.id, name }) },
                  {
                    label: 'End all sessions',
                    icon: 'out',
                    onSelect: () =>
                      runEnd({
                        variables: { id: m.id },
                        done: (r) => toast(`${plural(r.endMemberSessions!.sessionsEnded, 'session')} ended.`),
                      }),
                  },
                  {
                    label: 'Remove',
                    icon: 'x',
                    danger: true,
                    disabled: m.id === me.id ? 'You can’t remove yourself' : undefined,
                    onSelect: () => setRemoving({ id: m.id, name }),
                  },
                ]}
              />
            </li>
          )
        })}
      </ul>
      {signedIn && (
        <Dialog title={`Sessions of ${signedIn.name}`} onClose={() => setSignedIn(null)}>
          <Suspense fallback={<Skeleton lines={3} />}>
            <Sessions userId={signedIn.id} />
          </Suspense>
        </Dialog>
      )}
      {removing && (
        <Dialog
          title={`Remove ${removing.name}?`}
          onClose={() => setRemoving(null)}
          footer={<Choices no="Keep" yes="Remove" danger busy={busy} onNo={() => setRemoving(null)} onYes={remove} />}
        >
          <div className="stack">
            <p>Their sessions end at once, everywhere.</p>
            <Check
              label="Revoke the API keys they created"
              hint="Otherwise they keep working."
              checked={revoke}
              onChange={(e) => setRevoke(e.target.checked)}
            />
          </div>
        </Dialog>
      )}
    </div>
  )
}
