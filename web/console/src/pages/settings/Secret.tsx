import { toast } from '../../core/toast'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Note } from '../../ui/parts'

// copy copies a text, and says whether that worked.
export const copy = (text: string) =>
  void navigator.clipboard.writeText(text).then(
    () => toast('Copied.'),
    () => toast('Copying failed. Select the text and copy it.', { tone: 'bad' }),
  )

// Secret shows a secret, only this once.
export function Secret({ title, secret, about, onClose }: { title: string; secret: string; about: string; onClose: () => void }) {
  return (
    <Dialog
      title={title}
      about={about}
      onClose={onClose}
      footer={
        <Button look="primary" onClick={onClose}>
          I have stored it
        </Button>
      }
    >
      <div className="stack">
        <div className="row">
          <input className="input mono grow" readOnly value={secret} aria-label="The secret" onFocus={(e) => e.currentTarget.select()} />
          <Button icon="copy" onClick={() => copy(secret)}>
            Copy
          </Button>
        </div>
        <Note tone="warn">It is shown only once. Store it in a safe place.</Note>
      </div>
    </Dialog>
  )
}
