import { Button } from './button'
import { Note } from './parts'

// Behind offers to begin a long list anew.
export function Behind({ onBegin }: { onBegin: () => void }) {
  return <Note actions={<Button look="quiet" icon="redo" onClick={onBegin}>Begin the list anew</Button>}>There is more by now.</Note>
}
