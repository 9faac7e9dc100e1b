import './inbox.css'
import { Suspense, useEffect, useMemo, useRef, useState, useTransition } from 'react'
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay'
import { useLocation, useParams } from 'wouter'
import type { Inbox_list$key } from '../../__generated__/Inbox_list.graphql'
import type { InboxListQuery } from '../../__generated__/InboxListQuery.graphql'
import type { InboxQuery } from '../../__generated__/InboxQuery.graphql'
import { useNow } from '../../core/clock'
import { plural } from '../../core/format'
import { useKeys } from '../../core/keys'
import { useChanges, useRefresh } from '../../core/live'
import { useMay } from '../../core/session'
import { Button, LinkButton } from '../../ui/button'
import { Empty, Skeleton } from '../../ui/parts'
import { InboxRow } from './InboxRow'
import { Review } from './Review'
import { OutcomesDialog, RejectDialog, StaleDialog } from './dialogs'
import { useDecisions } from './useDecisions'

const query = graphql`
  query InboxQuery {
    ...Inbox_list
  }
`

// How many posts are fetched at once, and how many can be.
const page = 40
const most = 100

// Inbox is where people approve and reject what the writer wrote, by deadline.
export default function Inbox() {
  const data = useLazyLoadQuery<InboxQuery>(query, {}, { fetchPolicy: 'store-and-network' })
  return <Waiting list={data} />
}

function Waiting({ list }: { list: Inbox_list$key }) {
  const { data, refetch, loadNext, hasNext, isLoadingNext } = usePaginationFragment<InboxListQuery, Inbox_list$key>(
    graphql`
      fragment Inbox_list on Query
      @refetchable(queryName: "InboxListQuery")
      @argumentDefinitions(count: { type: "Int", defaultValue: 40 }, cursor: { type: "String" }) {
        contents(filter: { status: PENDING_REVIEW }, order: DEADLINE, first: $count, after: $cursor) @connection(key: "Inbox_contents") {
          edges {
            node {
              id
              status
              revision
              text
              allowedActions
              createdAt
              updatedAt
              expiresAt
              ...InboxRow_content
              ...Review_content
            }
          }
        }
      }
    `,
    list,
  )
  const { id } = useParams<{ id?: string }>()
  const [, go] = useLocation()
  const [, startTransition] = useTransition()
  const may = useMay('CONTENT_WRITE')
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const decisions = useDecisions(
    (gone) => after(gone),
    (ids) => ask(ids),
  )
  const { outdated } = decisions
  const waiting = useMemo(
    () =>
      (data.contents?.edges ?? [])
        .map((e) => e.node)
        .filter((c) => c.status === 'PENDING_REVIEW' && !outdated(c))
        .sort((a, b) => (a.expiresAt ?? '9').localeCompare(b.expiresAt ?? '9') || a.createdAt.localeCompare(b.createdAt)),
    [data, outdated],
  )
  // A post that left the list, whoever decided about it, is followed by the one behind it.
  const last = useRef<string[]>([])
  const found = id ? waiting.findIndex((c) => c.id === id) : 0
  const was = id && found < 0 ? last.current.indexOf(id) : -1
  const heirs = was < 0 ? [] : [...last.current.slice(was), ...last.current.slice(0, was).reverse()]
  const heir = heirs.find((h) => waiting.some((c) => c.id === h))
  const at = heir ? waiting.findIndex((c) => c.id === heir) : found
  useEffect(() => {
    last.current = waiting.map((c) => c.id)
    if (heir) go(`/inbox/${heir}`, { replace: true })
  }, [waiting, heir, go])
  // A post that no longer waits leaves the list with its event; only one that comes is
  // fetched, with all that is shown: a shorter list would lose the reviewer's place.
  const shown = Math.max(waiting.length + 1, page)
  // A longer list is begun anew only when the reviewer asks for it.
  const [more, setMore] = useState(false)
  const renew = () => {
    if (shown > most) setMore(true)
    else startTransition(() => void refetch({ count: shown }, { fetchPolicy: 'network-only' }))
  }
  useRefresh(['CONTENT_CREATED', 'CONTENT_HELD', 'CONTENT_REOPENED'], renew)
  useChanges(['MISSIONS'], renew) // one that is deleted takes its posts with it
  const anew = () => {
    setMore(false)
    startTransition(() => void refetch({ count: most }, { fetchPolicy: 'network-only' }))
  }
  // The next page is there before the reviewer is.
  const short = hasNext && !isLoadingNext && waiting.length - at <= page / 2
  useEffect(() => {
    if (short) loadNext(page)
  }, [short, loadNext])
  const current = waiting[Math.max(at, 0)]
  const open = (to: number) => {
    const next = waiting[Math.min(Math.max(to, 0), waiting.length - 1)]
    if (next) go(`/inbox/${next.id}`, { replace: true })
  }
  // after leads to what is reviewed next, before the decided post has left the list.
  const after = (gone: ReadonlySet<string>) => {
    const from = Math.max(at, 0)
    const rest = [...waiting.slice(from), ...waiting.slice(0, from).reverse()].find((c) => !gone.has(c.id))
    go(rest ? `/inbox/${rest.id}` : '/inbox', { replace: true })
  }
  const pick = (which: string) => {
    const next = new Set(picked)
    if (!next.delete(which)) next.add(which)
    const post = waiting.find((c) => c.id === which)
    if (post) decisions.seen(post) // what is approved later is the text as it is now
    setPicked(next)
  }
  const chosen = waiting.filter((c) => picked.has(c.id))
  const [rejecting, setRejecting] = useState(false)
  const [again, setAgain] = useState<string | null>(null)
  // ask asks again for the reason of a rejection.
  const ask = (ids: readonly string[]) => {
    if (ids.length > 1) return (setPicked(new Set(ids)), setRejecting(true))
    setAgain(ids[0]!)
    go(`/inbox/${ids[0]}`, { replace: true })
  }
  const approveChosen = () => {
    decisions.approveAll(chosen.map(decisions.seen))
    setPicked(new Set())
  }
  useKeys([
    { keys: 'j', label: 'Next post', run: () => open(at + 1) },
    { keys: 'k', label: 'Previous post', run: () => open(at - 1) },
    { keys: 'x', label: 'Select', run: () => current && pick(current.id), off: !may },
    { keys: 'Shift+A', label: 'Approve the selected posts', run: approveChosen, off: chosen.length === 0 },
    { keys: 'Shift+R', label: 'Reject the selected posts', run: () => setRejecting(true), off: chosen.length === 0 },
    { keys: 'z', label: 'Undo the last decision', run: decisions.undo, off: !may },
  ])
  if (waiting.length === 0 && !hasNext && !decisions.stale && !decisions.outcomes) return <Nothing />
  return (
    <div className={`inbox ${id ? 'opened' : ''}`}>
      <section className="list" aria-label="Posts waiting for review">
        <header>
          <h1 tabIndex={-1}>Inbox</h1>
          <span className="muted small num">
            {plural(waiting.length, 'post')}
            {hasNext ? ' and more' : ''} waiting
          </span>
        </header>
        {more && (
          <p className="more" role="status">
            <Button look="quiet" icon="redo" onClick={anew}>
              More posts are waiting. Reload the list
            </Button>
          </p>
        )}
        {chosen.length > 0 && (
          <div className="bulk row wrap">
            <span className="small strong grow">{plural(chosen.length, 'post')} selected</span>
            <Button look="quiet" onClick={() => setPicked(new Set())}>
              Clear
            </Button>
            <Button icon="x" shortcut="Shift+R" onClick={() => setRejecting(true)}>
              Reject
            </Button>
            <Button look="primary" icon="check" shortcut="Shift+A" onClick={approveChosen}>
              Approve
            </Button>
          </div>
        )}
        <Groups waiting={waiting}>
          {(c) => (
            <InboxRow
              key={c.id}
              content={c}
              current={c.id === current?.id}
              picked={picked.has(c.id)}
              onPick={may ? () => pick(c.id) : undefined}
            />
          )}
        </Groups>
        {hasNext && (
          <p className="more">
            <Button look="quiet" busy={isLoadingNext} onClick={() => loadNext(page)}>
              Show more
            </Button>
          </p>
        )}
      </section>
      <Suspense
        fallback={
          <div className="review">
            <Skeleton lines={8} />
          </div>
        }
      >
        {current && (
          <Review
            key={current.id}
            content={current}
            decisions={decisions}
            rejecting={again === current.id}
            onAsked={() => setAgain(null)}
          />
        )}
      </Suspense>
      {rejecting && (
        <RejectDialog
          ids={chosen.map((c) => c.id)}
          onClose={() => setRejecting(false)}
          onReject={(reason) => {
            setRejecting(false)
            decisions.rejectAll(chosen.map(decisions.seen), reason)
            setPicked(new Set())
          }}
        />
      )}
      {decisions.outcomes && (
        <OutcomesDialog
          {...decisions.outcomes}
          onClose={decisions.closeOutcomes}
          textOf={(which) => waiting.find((c) => c.id === which)?.text}
        />
      )}
      {decisions.stale && (
        <StaleDialog
          before={decisions.stale}
          onClose={(now) => {
            decisions.setStale(null)
            if (!now) return
            decisions.saw(now)
            go(`/inbox/${now.id}`, { replace: true })
          }}
          onApprove={(now) => {
            decisions.setStale(null)
            decisions.saw(now)
            decisions.approve(now)
          }}
        />
      )}
    </div>
  )
}

type Due = { expiresAt: string | null | undefined }

// Groups puts the posts under how soon they expire.
function Groups<T extends Due>({ waiting, children }: { waiting: readonly T[]; children: (c: T) => React.ReactNode }) {
  const now = useNow()
  const groups = Map.groupBy(waiting, (c) => {
    if (!c.expiresAt) return 'No deadline'
    const hours = (Date.parse(c.expiresAt) - now) / 3_600_000
    return hours < 1 ? 'Within the hour' : hours < 24 ? 'Within a day' : 'Later'
  })
  return [...groups].map(([title, posts]) => (
    <div key={title} className="group">
      <h2 className="xsmall">{title}</h2>
      <ul>{posts.map(children)}</ul>
    </div>
  ))
}

function Nothing() {
  const mayCreate = useMay('MISSIONS_WRITE')
  return (
    <div className="page">
      <h1 tabIndex={-1}>Inbox</h1>
      <Empty
        icon="check"
        title="Nothing waits for review"
        actions={
          mayCreate && (
            <LinkButton href="/missions/new" icon="plus">
              New mission
            </LinkButton>
          )
        }
      >
        Posts of missions that require approval appear here as soon as they are written, the most urgent first.
      </Empty>
    </div>
  )
}
