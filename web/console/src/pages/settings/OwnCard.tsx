import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Choices } from '../../ui/menu'
import { Badge, Card, Note } from '../../ui/parts'
import { Time } from '../../ui/time'

// OwnCard is something that the organization may have itself: what it has, or none of it, how it is set
// and how it is removed.
export function OwnCard({
  title,
  none,
  rows,
  at,
  note,
  warning,
  busy,
  onRemove,
  form,
}: {
  title: string
  none: string
  rows: [string, string][] | null
  at?: string
  note?: ReactNode
  warning: string
  busy: boolean
  onRemove: (done: () => void, failed: (message: string) => void) => void
  form: (close: () => void) => ReactNode
}) {
  const [open, setOpen] = useState<'form' | 'remove' | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const close = () => (setOpen(null), setProblem(null))
  return (
    <Card
      title={
        <span className="row wrap">
          {title} {rows && <Badge tone={note ? 'bad' : 'ok'}>{note ? 'Failing' : 'Your own'}</Badge>}
        </span>
      }
      aside={
        <span className="row">
          <Button onClick={() => setOpen('form')} aria-label={`${rows ? 'Change' : 'Set up'}: ${title}`}>
            {rows ? 'Change' : 'Set up'}
          </Button>
          {rows && (
            <Button look="danger" onClick={() => setOpen('remove')} aria-label={`Remove: ${title}`}>
              Remove
            </Button>
          )}
        </span>
      }
    >
      {rows ? (
        <div className="stack">
          {note}
          <dl className="own small">
            {rows.map(([name, value]) => (
              <div key={name}>
                <dt className="muted">{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          {at && (
            <p className="xsmall muted">
              Changed <Time at={at} />
            </p>
          )}
        </div>
      ) : (
        <p className="small muted">{none}</p>
      )}
      {open === 'form' && form(close)}
      {open === 'remove' && (
        <Dialog
          title={`Remove “${title}”?`}
          onClose={close}
          onSubmit={() => onRemove(close, setProblem)}
          footer={<Choices yes="Remove" danger busy={busy} onNo={close} />}
        >
          <div className="stack">
            <p>{warning}</p>
            {problem && (
              <div role="alert">
                <Note tone="bad">{problem}</Note>
              </div>
            )}
          </div>
        </Dialog>
      )}
    </Card>
  )
}
