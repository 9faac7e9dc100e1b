import { useEffect, useRef, useState } from 'react'
import { graphql, usePaginationFragment } from 'react-relay'
import type { List_replies$key } from '../../__generated__/List_replies.graphql'
import type { ListRepliesQuery } from '../../__generated__/ListRepliesQuery.graphql'
import { useKeys } from '../../core/keys'
import { useChanges, useRefresh, useRenew } from '../../core/live'
import { useMay } from '../../core/session'
import { list as inWords } from '../../core/format'
import { usePlatforms } from '../../text/limits'
import { Behind } from '../../ui/behind'
import { Button } from '../../ui/button'
import { Empty } from '../../ui/parts'
import { platformName } from '../../ui/platform'
import { HideDialog } from './HideDialog'
import { Reply } from './Reply'
import { useAside } from './useAside'

const page = 30

// List is replies one below the other: j and k go through them.
export function List({ list, filtered, onClear }: { list: List_replies$key; filtered: boolean; onClear: () => void }) {
  const { data, refetch, loadNext, hasNext, isLoadingNext } = usePaginationFragment<ListRepliesQuery, List_replies$key>(
    graphql`
      fragment List_replies on Query
      @refetchable(queryName: "ListRepliesQuery")
      @argumentDefinitions(
        status: { type: "ReplyStatus" }
        mission: { type: "ID" }
        platform: { type: "Platform" }
        count: { type: "Int", defaultValue: 30 }
        cursor: { type: "String" }
      ) {
        replies(filter: { status: $status, missionId: $mission, platform: $platform }, first: $count, after: $cursor)
          @connection(key: "List_replies") {
          edges {
            node {
              id
              platform
              allowedActions
              ...Reply_reply
            }
          }
        }
      }
    `,
    list,
  )
  const may = useMay('CONTENT_WRITE')
  const replies = (data.replies?.edges ?? []).map((e) => e.node)
  const { renew, behind, begin } = useRenew(replies.length, page, refetch)
  useRefresh(['REPLY_'], renew)
  useChanges(['REPLIES'], renew)
  const [answering, setAnswering] = useState<string | null>(null)
  const [hiding, setHiding] = useState<string | null>(null)
  const aside = useAside()
  const body = useRef<HTMLUListElement>(null)
  const rows = () => [...(body.current?.children ?? [])] as HTMLElement[]
  const at = () => rows().findIndex((r) => r.contains(document.activeElement))
  const focused = useRef(-1)
  const step = (n: number) => rows()[Math.min(Math.max(0, at() + n), replies.length - 1)]?.focus()
  const current = () => replies[at() < 0 ? focused.current : at()]
  const allows = (r: (typeof replies)[number] | undefined, action: (typeof replies)[number]['allowedActions'][number]) =>
    may && !!r?.allowedActions.includes(action)
  // A row that leaves the list hands the focus to the one that takes its place.
  useEffect(() => {
    const lost = document.activeElement === document.body
    if (lost && focused.current >= 0 && !hiding) rows()[Math.min(focused.current, replies.length - 1)]?.focus()
  })
  const close = (id: string) => {
    setAnswering(null)
    document.getElementById(id)?.focus()
  }
  useKeys([
    { keys: 'j', label: 'Next reply', run: () => step(1) },
    { keys: 'k', label: 'Previous reply', run: () => step(-1) },
    { keys: 'r', label: 'Answer the reply', run: () => allows(current(), 'ANSWER') && setAnswering(current()!.id), off: !may },
    { keys: 'd', label: 'Set the reply aside, or take it up again', run: () => current() && toggle(current()!), off: !may },
    { keys: 'h', label: 'Hide the reply', run: () => allows(current(), 'HIDE') && setHiding(current()!.id), off: !may },
  ])
  const toggle = (r: (typeof replies)[number]) => {
    if (allows(r, 'MARK_DONE')) aside(r.id, true)
    else if (allows(r, 'REOPEN')) aside(r.id, false)
  }
  if (replies.length === 0 && !hasNext) return <Nothing filtered={filtered} onClear={onClear} />
  return (
    <>
      {behind && <Behind onBegin={begin} />}
      <ul
        className="card rows"
        aria-label="Replies"
        ref={body}
        onFocus={() => (focused.current = at())}
        onBlur={(e) => {
          // Without a place to which the focus goes its row was removed; a dialog gives it back.
          const to = e.relatedTarget
          if (to && !e.currentTarget.contains(to) && !to.closest('dialog')) focused.current = -1
        }}
      >
        {replies.map((r) => (
          <Reply
            key={r.id}
            reply={r}
            answering={answering === r.id}
            onAnswer={allows(r, 'ANSWER') ? () => setAnswering(r.id) : undefined}
            onClose={() => close(r.id)}
            onHide={allows(r, 'HIDE') ? () => setHiding(r.id) : undefined}
            onAside={allows(r, 'MARK_DONE') || allows(r, 'REOPEN') ? () => toggle(r) : undefined}
          />
        ))}
      </ul>
      {hasNext && (
        <p className="more">
          <Button busy={isLoadingNext} onClick={() => loadNext(page)}>
            Show more
          </Button>
        </p>
      )}
      {!may && <p className="small muted">Your role may read replies, and not answer them.</p>}
      {hiding && <HideDialog id={hiding} platform={replies.find((r) => r.id === hiding)?.platform} onClose={() => setHiding(null)} />}
    </>
  )
}

function Nothing({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const read = usePlatforms().filter((p) => p.replies.read)
  const names = (paid: boolean) => read.filter((p) => p.replies.paid === paid).map((p) => platformName(p.platform))
  const paid = names(true)
  if (filtered)
    return (
      <Empty icon="reply" title="No reply is like that" actions={<Button onClick={onClear}>Clear the filters</Button>}>
        Choose another state, or look at all replies.
      </Empty>
    )
  return (
    <Empty icon="reply" title="No replies yet">
      What people reply to your posts on {inWords(names(false))} appears here, to be answered, hidden or set aside.
      {paid.length > 0 && ` On ${inWords(paid)} reading replies costs, so it is off unless a mission asks for it.`}
    </Empty>
  )
}
