import type { Limits } from '../../text/length'
import { Button, IconButton } from '../../ui/button'
import { TextArea } from '../../ui/field'
import { Length } from '../../ui/post/Length'
import { blank, type Part, split, splits } from './body'
import { Files } from './Files'
import type { Media } from './useMedia'

// Texts are the fields of a post or a thread, with its files.
export function Texts({
  of,
  parts,
  limits,
  most,
  media,
  focus,
  onChange,
  onTurn,
  onAdd,
}: {
  // of is the platform whose text it is; "" for that of all.
  of: string
  parts: readonly Part[]
  limits?: Limits
  // most is how many parts there may be.
  most: number
  media: ReadonlyMap<string, Media>
  focus?: boolean
  onChange: (parts: readonly Part[]) => void
  // onTurn is called with the part that the person turns to.
  onTurn: (part: number) => void
  onAdd: (part: number) => void
}) {
  const several = parts.length > 1
  const label = (i: number) => `${several ? `Part ${i + 1}` : 'Text'}${of && ` for ${of}`}`
  const change = (i: number, to: Partial<Part>) => onChange(parts.map((p, j) => (j === i ? { ...p, ...to } : p)))
  return (
    <div className="stack texts">
      {parts.map((p, i) => (
        <div key={i} className="stack" onFocus={() => onTurn(i)} onDragEnter={() => onTurn(i)}>
          <TextArea
            data-first={(focus && i === 0) || undefined}
            label={label(i)}
            rows={several ? 3 : 6}
            dir="auto"
            value={p.text}
            aside={
              <span className="row">
                {limits && <Length limits={limits} text={p.text} files={p.files.length > 0} />}
                {several && (
                  <IconButton icon="trash" label={`Remove ${label(i)}`} onClick={() => onChange(parts.filter((_, j) => j !== i))} />
                )}
              </span>
            }
            onChange={(e) => change(i, { text: e.target.value })}
          />
          <Files files={p.files} media={media} onChange={(files) => change(i, { files })} />
          <div className="row wrap">
            <Button icon="picture" onClick={() => onAdd(i)}>
              Add files{several ? ` to part ${i + 1}` : ''}
            </Button>
            {i === parts.length - 1 && most > parts.length && (
              <Button look="quiet" icon="plus" onClick={() => onChange([...parts, blank])}>
                Add a part
              </Button>
            )}
            {i === 0 && most > 1 && splits(parts) && (
              <Button look="quiet" icon="menu" onClick={() => onChange(split(parts))}>
                Split into a thread
              </Button>
            )}
          </div>
        </div>
      ))}
    </div>
  )
}
