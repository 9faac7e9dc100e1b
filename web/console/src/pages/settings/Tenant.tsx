import { useState } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay'
import type { TenantDeleteMutation } from '../../__generated__/TenantDeleteMutation.graphql'
import type { TenantQuery } from '../../__generated__/TenantQuery.graphql'
import type { TenantRestoreMutation } from '../../__generated__/TenantRestoreMutation.graphql'
import type { TenantUpdateMutation } from '../../__generated__/TenantUpdateMutation.graphql'
import { useAction } from '../../core/action'
import { useEdits } from '../../core/edits'
import { dateTime, ownZone } from '../../core/format'
import { useFresh } from '../../core/live'
import { useProblems } from '../../core/problems'
import { useViewer } from '../../core/session'
import { toast } from '../../core/toast'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Input } from '../../ui/field'
import { Choices } from '../../ui/menu'
import { Card, Note } from '../../ui/parts'
import { Problem } from '../../ui/problem'

// Tenant is the organization itself: its name, and its end.
export default function Tenant() {
  const [fetchKey] = useFresh(['TENANT'])
  const { tenant: t } = useLazyLoadQuery<TenantQuery>(
    graphql`
      query TenantQuery {
        tenant {
          id
          name
          slug
          plan
          createdAt
          deletesAt
        }
      }
    `,
    {},
    { fetchPolicy: 'store-and-network', fetchKey },
  )
  const {
    values: { name, slug },
    set: edit,
    typed,
    forget,
  } = useEdits(`tenant:${useViewer().tenant.id}`, { name: t?.name ?? '', slug: t?.slug ?? '' })
  const [deleting, setDeleting] = useState(false)
  const [confirm, setConfirm] = useState('')
  const changes = useProblems('name', 'slug')
  const deletion = useProblems('confirm')
  const [runUpdate, saving] = useAction<TenantUpdateMutation>(graphql`
    mutation TenantUpdateMutation($input: UpdateTenantInput!) {
      updateTenant(input: $input) {
        tenant {
          id
          name
          slug
        }
      }
    }
  `)
  const [runDelete, busy] = useAction<TenantDeleteMutation>(graphql`
    mutation TenantDeleteMutation($confirm: String!) {
      deleteTenant(confirm: $confirm) {
        tenant {
          id
          deletesAt
        }
      }
    }
  `)
  const [runRestore, restoring] = useAction<TenantRestoreMutation>(graphql`
    mutation TenantRestoreMutation {
      restoreTenant {
        tenant {
          id
          deletesAt
        }
      }
    }
  `)
  if (!t) return null
  return (
    <div className="stack wide">
      {t.deletesAt && (
        <Note
          tone="bad"
          actions={
            <Button
              busy={restoring}
              onClick={() =>
                runRestore({ variables: {}, done: () => toast('The deletion is canceled. Resume your missions when you are ready.') })
              }
            >
              Keep the organization
            </Button>
          }
        >
          Everything will be deleted on {dateTime(t.deletesAt)} ({ownZone()}). Until then its missions are paused and its keys don’t work.
        </Note>
      )}
      <form
        className="card body stack narrow"
        noValidate
        onSubmit={(e) => {
          e.preventDefault()
          runUpdate({
            variables: { input: { name: name.trim(), slug: slug.trim() } },
            done: () => (forget(), toast('Saved.')),
            failed: changes.failed,
          })
        }}
      >
        <Input
          label="Name"
          value={name}
          maxLength={100}
          problem={changes.of('name')}
          onChange={(e) => (edit({ name: e.target.value }), changes.clear())}
        />
        <Input
          label="Short name"
          hint="Lower-case letters, digits and hyphens."
          value={slug}
          problem={changes.of('slug')}
          onChange={(e) => (edit({ slug: e.target.value }), changes.clear())}
        />
        <Problem of={changes.rest} />
        <div className="row">
          <Button look="primary" type="submit" busy={saving}>
            Save
          </Button>
          {typed && <Button onClick={() => (forget(), changes.clear())}>Discard</Button>}
        </div>
      </form>
      {!t.deletesAt && (
        <Card title="Delete the organization">
          <div className="row spread wrap">
            <p className="small muted">
              All missions, posts, results and settings are deleted after 14 days. Until then an administrator can cancel the deletion.
            </p>
            <Button look="danger" onClick={() => setDeleting(true)}>
              Delete …
            </Button>
          </div>
        </Card>
      )}
      {deleting && (
        <Dialog
          title="Delete the organization?"
          onClose={() => setDeleting(false)}
          onSubmit={() => runDelete({ variables: { confirm }, done: () => setDeleting(false), failed: deletion.failed })}
          footer={<Choices no="Keep it" yes="Delete in 14 days" danger busy={busy} onNo={() => setDeleting(false)} />}
        >
          <div className="stack">
            <p>Its missions are paused and its keys stop working at once.</p>
            <Input
              label={
                <>
                  Write <code>{t.slug}</code> to confirm
                </>
              }
              value={confirm}
              problem={deletion.of('confirm')}
              onChange={(e) => (setConfirm(e.target.value), deletion.clear())}
            />
            <Problem of={deletion.rest} />
          </div>
        </Dialog>
      )}
    </div>
  )
}
