import { lazy, Suspense, useState } from 'react'
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay'
import type { Links_mission$key } from '../../__generated__/Links_mission.graphql'
import type { LinksCreateMutation } from '../../__generated__/LinksCreateMutation.graphql'
import type { LinksListQuery } from '../../__generated__/LinksListQuery.graphql'
import type { LinksQuery } from '../../__generated__/LinksQuery.graphql'
import type { LinksRevokeMutation } from '../../__generated__/LinksRevokeMutation.graphql'
import { useAction } from '../../core/action'
import { serviceNow } from '../../core/clock'
import { useEdits } from '../../core/edits'
import { useFresh, useRefresh } from '../../core/live'
import { useProblems } from '../../core/problems'
import { useMay } from '../../core/session'
import { toast } from '../../core/toast'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Check, Input, Select } from '../../ui/field'
import { Choices } from '../../ui/menu'
import { Badge, Card, Empty, Skeleton } from '../../ui/parts'
import { Problem } from '../../ui/problem'
import { Time } from '../../ui/time'

const Secret = lazy(() => import('../settings/Secret').then((m) => ({ default: m.Secret })))
const Done = lazy(() => import('./LinkDone'))

// Links are the addresses with which people without an account review a mission's posts.
export function Links({ id }: { id: string }) {
  const [fetchKey, refresh] = useFresh([])
  useRefresh(['CONTENT_'], refresh, (e) => e.mission?.id === id)
  const { mission } = useLazyLoadQuery<LinksQuery>(
    graphql`
      query LinksQuery($id: ID!) {
        mission(id: $id) {
          id
          constraints {
            timezone
          }
          ...Links_mission
        }
      }
    `,
    { id },
    { fetchPolicy: 'store-and-network', fetchKey },
  )
  return mission && <List id={id} mission={mission} zone={mission.constraints.timezone} onChange={refresh} />
}

function List({ id, mission, zone, onChange }: { id: string; mission: Links_mission$key; zone: string; onChange: () => void }) {
  const { data, loadNext, hasNext, isLoadingNext } = usePaginationFragment<LinksListQuery, Links_mission$key>(
    graphql`
      fragment Links_mission on Mission
      @refetchable(queryName: "LinksListQuery")
      @argumentDefinitions(count: { type: "Int", defaultValue: 20 }, cursor: { type: "String" }) {
        reviewLinks(first: $count, after: $cursor) @connection(key: "Links_reviewLinks") {
          edges {
            node {
              id
              name
              mayDecide
              createdAt
              expiresAt
              revokedAt
              lastUsedAt
            }
          }
        }
      }
    `,
    mission,
  )
  const [making, setMaking] = useState(false)
  const [url, setURL] = useState<string | null>(null)
  const [revoking, setRevoking] = useState<{ id: string; name: string } | null>(null)
  const [seen, setSeen] = useState<string | null>(null)
  const [run, busy] = useAction<LinksRevokeMutation>(graphql`
    mutation LinksRevokeMutation($id: ID!) {
      revokeReviewLink(id: $id) {
        reviewLink {
          id
          revokedAt
        }
      }
    }
  `)
  const admin = useMay('ADMIN')
  const links = (data.reviewLinks?.edges ?? []).map((e) => e.node)
  return (
    <Card
      title="Review links"
      rows
      aside={
        <Button icon="plus" onClick={() => setMaking(true)}>
          New link
        </Button>
      }
    >
      {links.length === 0 && (
        <Empty icon="link" title="No review links yet">
          A client reviews this mission’s posts without an account: make a link, and send it.
        </Empty>
      )}
      {links.map((l) => {
        const ended = l.revokedAt ? 'Revoked' : Date.parse(l.expiresAt) <= serviceNow() ? 'Expired' : null
        return (
          <div key={l.id} className="line wrap">
            <span className="grow">
              <span className="row wrap">
                <span className="strong">{l.name}</span>
                <Badge tone={ended ? '' : 'ok'}>{ended ?? 'Works'}</Badge>
                <span className="small muted">{l.mayDecide ? 'may approve and reject' : 'may comment'}</span>
              </span>
              <span className="xsmall muted">
                {l.lastUsedAt ? (
                  <>
                    last decided or commented <Time at={l.lastUsedAt} />
                  </>
                ) : (
                  'not used yet'
                )}
                {' · '}
                {l.revokedAt ? (
                  <>
                    revoked <Time at={l.revokedAt} />
                  </>
                ) : (
                  <>
                    {ended ? 'expired ' : 'expires '}
                    <Time at={l.expiresAt} zone={zone} exact />
                  </>
                )}
              </span>
              {seen === l.id && (
                <Suspense fallback={<Skeleton lines={2} />}>
                  <Done link={l.id} zone={zone} />
                </Suspense>
              )}
            </span>
            {admin && l.mayDecide && l.lastUsedAt && (
              <Button
                look="quiet"
                aria-label={`Decisions of ${l.name}`}
                aria-expanded={seen === l.id}
                onClick={() => setSeen(seen === l.id ? null : l.id)}
              >
                Decisions
              </Button>
            )}
            {!ended && (
              <Button aria-label={`Revoke ${l.name}`} onClick={() => setRevoking(l)}>
                Revoke
              </Button>
            )}
          </div>
        )
      })}
      {hasNext && (
        <div className="line">
          <Button busy={isLoadingNext} onClick={() => loadNext(20)}>
            Show more
          </Button>
        </div>
      )}
      {making && (
        <NewLink
          mission={id}
          onClose={() => setMaking(false)}
          onMade={(made) => {
            setMaking(false)
            setURL(made)
            onChange()
          }}
        />
      )}
      {url && (
        <Suspense>
          <Secret
            title="The review link"
            secret={url}
            about="Send it to whoever is to review: whoever has it can use it."
            onClose={() => setURL(null)}
          />
        </Suspense>
      )}
      {revoking && (
        <Dialog
          title={`Revoke “${revoking.name}”?`}
          onClose={() => setRevoking(null)}
          onSubmit={() => run({ variables: { id: revoking.id }, done: () => (setRevoking(null), toast('Revoked.')) })}
          footer={<Choices yes="Revoke link" danger busy={busy} onNo={() => setRevoking(null)} />}
        >
          <p>Its page says at once that the link has ended. What was decided with it stays.</p>
        </Dialog>
      )}
    </Card>
  )
}

const spans = { '24': 'a day', '72': '3 days', '168': 'a week', '336': 'two weeks', '720': '30 days' }

function NewLink({ mission, onClose, onMade }: { mission: string; onClose: () => void; onMade: (url: string) => void }) {
  const { values, typed, set, forget } = useEdits(`link ${mission}`, { name: '', hours: '168', mayDecide: true })
  const { name, hours, mayDecide } = values
  const { of, rest, say, clear, failed } = useProblems('name', 'expiresInHours')
  const [run, busy] = useAction<LinksCreateMutation>(graphql`
    mutation LinksCreateMutation($id: ID!, $input: CreateReviewLinkInput!) {
      createReviewLink(id: $id, input: $input) {
        url
      }
    }
  `)
  const submit = () => {
    if (!name.trim()) return say({ name: 'Enter a name.' })
    run({
      variables: { id: mission, input: { name: name.trim(), expiresInHours: Number(hours), mayDecide } },
      done: (r) => (forget(), onMade(r.createReviewLink!.url)),
      failed,
    })
  }
  return (
    <Dialog
      title="New review link"
      about="It shows the posts of this mission that wait for review, and nothing else."
      onClose={onClose}
      onSubmit={submit}
      footer={<Choices no={typed ? 'Discard' : 'Cancel'} yes="Make the link" busy={busy} onNo={() => (forget(), onClose())} />}
    >
      <div className="stack">
        <Input
          label="For whom"
          hint="Decisions and comments have this name. Give each person or team a link of its own."
          placeholder="Acme, marketing"
          maxLength={100}
          value={name}
          problem={of('name')}
          onChange={(e) => (set({ name: e.target.value }), clear())}
        />
        <Select label="Works for" value={hours} problem={of('expiresInHours')} onChange={(e) => (set({ hours: e.target.value }), clear())}>
          {Object.entries(spans).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </Select>
        <Check
          label="May approve and reject"
          hint="Otherwise only comment."
          checked={mayDecide}
          onChange={(e) => set({ mayDecide: e.target.checked })}
        />
        <Problem of={rest} />
      </div>
    </Dialog>
  )
}
