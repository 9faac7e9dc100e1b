import { sentence } from '../../core/format'
import { IconButton } from '../../ui/button'
import { AltText } from '../../ui/media/AltText'
import { MediaThumb } from '../../ui/media/MediaThumb'
import { mediaState } from '../../ui/media/words'
import { State } from '../../ui/status'
import type { File } from './body'
import type { Media } from './useMedia'

// Files are those of a part, each with what the post says of it to people who don't see it.
export function Files({
  files,
  media,
  onChange,
}: {
  files: readonly File[]
  media: ReadonlyMap<string, Media>
  onChange: (files: readonly File[]) => void
}) {
  if (files.length === 0) return null
  return (
    <ul className="attached" aria-label="Files">
      {files.map((f, i) => {
        const m = media.get(f.id)
        return (
          <li key={f.id}>
            <div>
              <MediaThumb file={m ?? {}} />
              {m && m.status !== 'READY' && <State of={mediaState(m.status ?? '')} />}
              {m?.error && <p className="problem">{sentence(m.error.message)}</p>}
            </div>
            <AltText
              rows={2}
              value={f.alt ?? m?.altText ?? ''}
              onChange={(e) => onChange(files.map((x, j) => (j === i ? { ...x, alt: e.target.value } : x)))}
            />
            <IconButton icon="trash" label={`Remove file ${i + 1}`} onClick={() => onChange(files.filter((_, j) => j !== i))} />
          </li>
        )
      })}
    </ul>
  )
}
