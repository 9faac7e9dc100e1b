import { startTransition, useState } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay'
import type { RecordSourceSelectorProxy } from 'relay-runtime'
import { useLocation } from 'wouter'
import type { ViewsQuery } from '../../__generated__/ViewsQuery.graphql'
import type { ViewsUpdateMutation } from '../../__generated__/ViewsUpdateMutation.graphql'
import { useAction } from '../../core/action'
import { useEdits } from '../../core/edits'
import { useProblems } from '../../core/problems'
import { toast } from '../../core/toast'
import { Dialog } from '../../ui/dialog'
import { Input } from '../../ui/field'
import { Icon } from '../../ui/icons'
import { Choices, Menu } from '../../ui/menu'
import { Problem } from '../../ui/problem'

const update = graphql`
  mutation ViewsUpdateMutation($input: UpdatePreferencesInput!) {
    updatePreferences(input: $input) {
      preferences {
        views {
          name
          query
        }
      }
    }
  }
`

// keep puts the changed preferences where the menu reads them.
function keep(store: RecordSourceSelectorProxy) {
  const changed = store.getRootField('updatePreferences')?.getLinkedRecord('preferences')
  if (changed) store.getRoot().setLinkedRecord(changed, 'preferences')
}

// Views are the person's saved lists of posts: a menu that opens them, saves what is shown, and
// deletes.
export function Views({ shown }: { shown: string }) {
  const { preferences } = useLazyLoadQuery<ViewsQuery>(
    graphql`
      query ViewsQuery {
        preferences {
          views {
            name
            query
          }
        }
      }
    `,
    {},
    { fetchPolicy: 'store-or-network' },
  )
  const [, go] = useLocation()
  const [naming, setNaming] = useState(false)
  const { values, typed, set, forget } = useEdits('view', { name: '' })
  const name = values.name.trim()
  const { of, rest, clear, failed } = useProblems('saveView.name')
  const close = () => setNaming(false)
  const [run, busy] = useAction<ViewsUpdateMutation>(update)
  const views = preferences?.views ?? []
  const current = views.find((v) => v.query === shown)
  const save = () =>
    !busy &&
    run({
      variables: { input: { saveView: { name, query: shown } } },
      updater: keep,
      done: () => (forget(), close(), toast(`Saved as “${name}”.`)),
      failed,
    })
  const remove = (name: string) =>
    run({
      variables: { input: { deleteView: name } },
      updater: keep,
      done: () => toast(`“${name}” was deleted.`),
    })
  return (
    <>
      <Menu
        label="Views"
        className="btn"
        items={[
          ...views.map((v) => ({ label: v.name, onSelect: () => startTransition(() => go(`/posts${v.query && `?${v.query}`}`)) })),
          ...(views.length > 0 ? (['line'] as const) : []),
          current
            ? { label: `Delete “${current.name}”`, danger: true, onSelect: () => remove(current.name) }
            : { label: 'Save this view', disabled: shown ? undefined : 'Choose a filter first.', onSelect: () => setNaming(true) },
        ]}
      >
        {current?.name ?? 'Views'} <Icon name="down" size={12} />
      </Menu>
      {naming && (
        <Dialog
          title="Save this view"
          onClose={close}
          onSubmit={save}
          footer={<Choices no={typed ? 'Discard' : 'Cancel'} yes="Save" busy={busy} disabled={!name} onNo={() => (forget(), close())} />}
        >
          <Input
            label="Name"
            hint="For you alone. A view of that name is replaced."
            maxLength={60}
            value={values.name}
            problem={of('saveView.name')}
            onChange={(e) => (set({ name: e.target.value }), clear())}
          />
          <Problem of={rest} />
        </Dialog>
      )}
    </>
  )
}
