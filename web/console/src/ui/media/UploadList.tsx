import { count } from '../../core/format'
import { Button, IconButton } from '../button'
import { uploads, useUploads } from './uploads'

// Uploads are the files that are being sent, with how far they are, or why they couldn't be.
export function Uploads() {
  const list = useUploads()
  if (list.length === 0) return null
  return (
    <ul className="uploads stack" aria-label="Uploads">
      {list.map(({ key, name, share, problem }) => (
        <li key={key} className="row">
          <span className="grow">
            <span className="clip small">{name}</span>
            {problem ? (
              <span className="bad-text small" role="alert">
                {problem}
              </span>
            ) : (
              <progress aria-label={`Upload of ${name}`} max={1} value={share} />
            )}
          </span>
          {problem ? (
            <Button onClick={() => uploads.again(key)}>Try again</Button>
          ) : (
            <span className="num small">{count(100 * share)} %</span>
          )}
          <IconButton icon="x" label={problem ? `Dismiss ${name}` : `Stop the upload of ${name}`} onClick={() => uploads.drop(key)} />
        </li>
      ))}
    </ul>
  )
}
