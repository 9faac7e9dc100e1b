import { useState } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay'
import type { ReviewersMutation } from '../../__generated__/ReviewersMutation.graphql'
import type { ReviewersQuery } from '../../__generated__/ReviewersQuery.graphql'
import { useAction } from '../../core/action'
import { list, plural } from '../../core/format'
import { useFresh } from '../../core/live'
import { useMay } from '../../core/session'
import { toast } from '../../core/toast'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Check } from '../../ui/field'
import { Choices } from '../../ui/menu'
import { Card } from '../../ui/parts'

// Reviewers are the members who are asked to review a mission's posts. Who they are called, and so whom
// there is to choose from, administrators alone see.
export function Reviewers({ id }: { id: string }) {
  const [fetchKey] = useFresh(['MISSIONS', 'MEMBERS'])
  const { mission: m, tenant } = useLazyLoadQuery<ReviewersQuery>(
    graphql`
      query ReviewersQuery($id: ID!) {
        mission(id: $id) {
          id
          reviewers
          reviewersOnly
          allowedActions
        }
        tenant {
          id
          members(first: 100) {
            edges {
              node {
                id
                name
                email
                role
              }
            }
          }
        }
      }
    `,
    { id },
    { fetchPolicy: 'store-and-network', fetchKey },
  )
  const [run, busy] = useAction<ReviewersMutation>(graphql`
    mutation ReviewersMutation($id: ID!, $input: UpdateMissionInput!) {
      updateMission(id: $id, input: $input) {
        mission {
          id
          reviewers
          reviewersOnly
        }
      }
    }
  `)
  const may = useMay('ADMIN')
  // What is chosen while the dialog is open.
  const [form, setForm] = useState<{ chosen: readonly string[]; only: boolean } | null>(null)
  if (!m) return null
  const members = tenant?.members?.edges.map((e) => e.node) ?? []
  const nameOf = (member: (typeof members)[number]) => member.name ?? member.email ?? member.id
  const names = members.filter((u) => m.reviewers.includes(u.id)).map(nameOf)
  const who = names.length === m.reviewers.length ? list(names) : plural(m.reviewers.length, 'member')
  return (
    <Card
      title="Reviewers"
      aside={
        may &&
        m.allowedActions.includes('UPDATE') && (
          <Button onClick={() => setForm({ chosen: m.reviewers, only: m.reviewersOnly })}>Choose</Button>
        )
      }
    >
      <p className={m.reviewers.length ? '' : 'muted'}>
        {m.reviewers.length === 0
          ? 'All who may approve posts are asked to review them.'
          : `${who} ${m.reviewers.length === 1 ? 'is' : 'are'} asked to review its posts.${m.reviewersOnly ? ' Nobody else may approve or reject them.' : ''}`}
      </p>
      {form && (
        <Dialog
          title="Reviewers"
          about="They are told what waits. Without any, all who may approve posts are."
          onClose={() => setForm(null)}
          onSubmit={() =>
            run({
              variables: { id, input: { reviewers: form.chosen, reviewersOnly: form.only } },
              done: () => (setForm(null), toast('Saved.')),
            })
          }
          footer={<Choices yes="Save" busy={busy} onNo={() => setForm(null)} />}
        >
          <div className="stack">
            {members
              .filter((u) => u.role !== 'VIEWER')
              .map((u) => (
                <Check
                  key={u.id}
                  label={nameOf(u)}
                  checked={form.chosen.includes(u.id)}
                  onChange={(e) =>
                    setForm({ ...form, chosen: e.target.checked ? [...form.chosen, u.id] : form.chosen.filter((i) => i !== u.id) })
                  }
                />
              ))}
            <hr />
            <Check
              label="Nobody else may approve or reject"
              hint="Review links may only comment then."
              checked={form.only}
              onChange={(e) => setForm({ ...form, only: e.target.checked })}
            />
          </div>
        </Dialog>
      )}
    </Card>
  )
}
