import { composer, type Opened } from '../core/composer'
import { useMay } from '../core/session'
import { Button } from './button'

// WriteButton opens the composer, for those who may write.
export function WriteButton(opened: Opened) {
  if (!useMay('CONTENT_WRITE')) return null
  return (
    <Button look="primary" icon="edit" onClick={() => composer.open(opened)}>
      Write a post
    </Button>
  )
}
