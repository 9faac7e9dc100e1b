import './media.css'
import { Icon } from '../icons'

type File = { kind?: string | null; url?: string | null; variants?: readonly { contentType: string; bytes: number; url: string }[] }

// smallest returns the address of the smallest picture that is made of a file.
const smallest = (f: File) =>
  f.variants
    ?.filter((v) => v.contentType.startsWith('image/'))
    .reduce<{ bytes: number; url: string } | null>((a, b) => (a && a.bytes <= b.bytes ? a : b), null)?.url

// MediaThumb is a small view of a file: what it shows is said beside it.
export function MediaThumb({ file: f }: { file: File }) {
  return (
    <span className="thumb">
      {!f.url ? (
        <Icon name="picture" size={24} />
      ) : f.kind === 'VIDEO' ? (
        <video src={f.url} preload="metadata" muted aria-hidden="true" tabIndex={-1} />
      ) : (
        <img src={smallest(f) ?? f.url} alt="" loading="lazy" />
      )}
    </span>
  )
}
