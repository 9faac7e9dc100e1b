import { useRef, useState } from 'react'
import type { decisionsEditMutation } from '../../__generated__/decisionsEditMutation.graphql'
import type { Review_content$data } from '../../__generated__/Review_content.graphql'
import { useAction } from '../../app/action'
import { ApiError } from '../../app/relay'
import { toast } from '../../app/toast'
import { usePlatforms, useLimits } from '../../text/limits'
import { Button, IconButton } from '../../ui/button'
import { TextArea } from '../../ui/field'
import { Length, measure } from '../../ui/post/Length'
import { partsOf } from '../../ui/post/PostContent'
import { edit } from './decisions'

// Editor changes a post's text, with its length as the platform counts it.
export function Editor({ content: c, onClose, onSaved }: { content: Review_content$data; onClose: () => void; onSaved: (revision: number, text: string) => void }) {
  const capabilities = usePlatforms().find((p) => p.platform === c.platform)
  const limits = useLimits()(c.platform, c.integrationId ?? null)
  const [parts, setParts] = useState<readonly string[]>(partsOf(c))
  const [comment, setComment] = useState(c.firstComment?.text ?? '')
  const [problem, setProblem] = useState<{ param?: string; message: string } | null>(null)
  const [run, busy] = useAction<decisionsEditMutation>(edit)
  const form = useRef<HTMLFormElement>(null)
  const set = (i: number, text: string) => setParts(parts.map((p, j) => (j === i ? text : p)))
  const fits = parts.every((p) => measure(limits, p).ok)
  const save = () =>
    run({
      variables: { id: c.id, input: { ...(parts.length > 1 ? { parts } : { text: parts[0] }), ...(comment !== (c.firstComment?.text ?? '') && { firstComment: comment }) } },
      done: (r) => {
        const saved = r.editContent?.content
        toast('Saved.')
        if (saved) onSaved(saved.revision, parts.join('\n\n'))
      },
      failed: (e) => {
        setProblem({ param: e instanceof ApiError ? e.param : undefined, message: e.message })
        return true
      },
    })
  const keys = (e: React.KeyboardEvent) => {
    if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) form.current?.requestSubmit()
    if (e.key === 'Escape') onClose()
  }
  return (
    <form ref={form} className="card editor stack" aria-label="Edit the post" onKeyDown={keys} onSubmit={(e) => { e.preventDefault(); if (fits && !busy) save() }}>
      {parts.map((text, i) => (
        <TextArea
          key={i}
          label={parts.length > 1 ? `Part ${i + 1}` : 'Text'}
          autoFocus={i === 0}
          value={text}
          problem={problem && (problem.param ?? 'text').includes(parts.length > 1 ? `parts[${i}]` : 'text') ? problem.message : null}
          aside={
            <span className="row">
              <Length limits={limits} text={text} />
              {parts.length > 1 && <IconButton icon="trash" label={`Remove part ${i + 1}`} onClick={() => setParts(parts.filter((_, j) => j !== i))} />}
            </span>
          }
          onChange={(e) => set(i, e.target.value)}
        />
      ))}
      {capabilities?.firstComment && <TextArea label="First comment" optional hint="Sent right after the post." value={comment} onChange={(e) => setComment(e.target.value)} />}
      {problem && !/^(text|parts)/.test(problem.param ?? 'text') && <p className="problem" role="alert">{problem.message}</p>}
      <div className="row wrap">
        <Button look="primary" type="submit" busy={busy} disabled={!fits}>Save</Button>
        <Button onClick={onClose}>Cancel</Button>
        <span className="grow" />
        {capabilities?.threads && parts.length < capabilities.maxParts && <Button look="quiet" icon="plus" onClick={() => setParts([...parts, ''])}>Add a part</Button>}
      </div>
    </form>
  )
}
