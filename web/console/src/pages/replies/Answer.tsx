import { graphql } from 'react-relay'
import type { AnswerMutation } from '../../__generated__/AnswerMutation.graphql'
import { useAction } from '../../core/action'
import { readDraft, useDraft } from '../../core/drafts'
import type { Platform } from '../../core/enums'
import { useProblems } from '../../core/problems'
import { toast } from '../../core/toast'
import { useLimits, usePlatforms } from '../../text/limits'
import { Button } from '../../ui/button'
import { sendByKey } from '../../ui/dialog'
import { TextArea } from '../../ui/field'
import { Length, measure } from '../../ui/post/Length'
import { Problem } from '../../ui/problem'

const mutation = graphql`
  mutation AnswerMutation($id: ID!, $input: AnswerReplyInput!) {
    answerReply(id: $id, input: $input) {
      reply {
        ...Reply_reply
        allowedActions
      }
    }
  }
`

type Replied = { id: string; platform: Platform; integrationId: string | null | undefined; author: { handle: string | null | undefined } }

// useMention returns what the service puts in front of an answer where its reader wouldn't know of it
// otherwise.
function useMention({ platform, integrationId, author: { handle } }: Replied) {
  const mentions = usePlatforms().find((p) => p.platform === platform)?.replies.mention
  return (text: string) =>
    mentions && integrationId && handle && !text.toLowerCase().includes(`@${handle.toLowerCase()}`) ? `@${handle} ` : ''
}

// Answer is the form of an answer. What is typed is kept by the tab until it is sent or discarded.
export function Answer({ reply, onClose }: { reply: Replied; onClose: () => void }) {
  const name = `answer ${reply.id}`
  const { value, set, typed, sent, forget } = useDraft<string>(
    name,
    () => readDraft<string>(name) ?? '',
    (text) => text,
  )
  const { of, rest, clear, failed } = useProblems('text')
  const [run, busy] = useAction<AnswerMutation>(mutation)
  const limits = useLimits()(reply.platform, reply.integrationId ?? null)
  const mention = useMention(reply)(value)
  const { ok } = measure(limits, mention + value)
  const discard = () => {
    forget()
    onClose()
  }
  const send = () => {
    if (!typed || !ok || busy) return
    run({
      variables: { id: reply.id, input: { text: value } },
      done: () => {
        toast('Your answer is being sent.')
        discard()
      },
      failed,
    })
  }
  return (
    <form
      className="stack"
      aria-label="Answer"
      onKeyDown={(e) => {
        sendByKey(e)
        if (e.key !== 'Escape') return
        sent() // its text stays stored
        onClose()
      }}
      onSubmit={(e) => {
        e.preventDefault()
        send()
      }}
    >
      <TextArea
        autoFocus
        label="Your answer"
        hint={mention && `It begins with ${mention.trim()}, who is told of it by that.`}
        problem={of('text')}
        value={value}
        maxLength={5000}
        aside={<Length limits={limits} text={value && mention + value} />}
        onChange={(e) => (set(e.target.value), clear())}
      />
      <Problem of={rest} />
      <div className="row wrap">
        <Button look="primary" type="submit" busy={busy} disabled={!typed || !ok}>
          Send
        </Button>
        <Button onClick={discard}>Cancel</Button>
        <span className="faint xsmall">Ctrl+Enter sends, Escape closes and keeps the text</span>
      </div>
    </form>
  )
}
