import { diffWordsWithSpace } from 'diff'
import './diff.css'

// Diff shows what changed from one text to another, word by word. Load it lazily.
export default function Diff({ before, after }: { before: string; after: string }) {
  return (
    <p className="difference" dir="auto">
      {diffWordsWithSpace(before, after).map((part, i) =>
        part.added ? (
          <ins key={i}>
            <span className="hidden">[added: </span>
            {part.value}
            <span className="hidden">]</span>
          </ins>
        ) : part.removed ? (
          <del key={i}>
            <span className="hidden">[removed: </span>
            {part.value}
            <span className="hidden">]</span>
          </del>
        ) : (
          <span key={i}>{part.value}</span>
        ),
      )}
    </p>
  )
}
