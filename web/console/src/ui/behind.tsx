import { Button } from './button'
import { Note } from './parts'

// Behind offers to begin a long list anew.
export function Behind({ onBegin }: { onBegin: () => void }) {
  return (
    <Note
      actions={
        <Button look="quiet" icon="redo" onClick={onBegin}>
          Reload the list
        </Button>
      }
    >
      There are newer entries.
    </Note>
  )
}
