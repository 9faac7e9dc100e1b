import { readable } from '../core/format'
import { inWords, table } from '../core/table'
import { Badge, type Tone } from './parts'

const words = table<string, [string, Tone]>(
  {
    ON_PACE: ['On pace', 'ok'],
    BEHIND: ['Behind', 'warn'],
    STARVING: ['Nothing approved', 'bad'],
    BLOCKED: ['Blocked', 'bad'],
    HELD: ['Held', 'warn'],
  },
  (state) => [inWords(state), ''],
)

// Health is how a mission is doing, in a word, with the reason on hover and for screen readers.
export function Health({ of }: { of: { state: string; message: string } | null | undefined }) {
  if (!of) return null
  const [word, tone] = words(of.state)
  return (
    <span title={readable(of.message)}>
      <Badge tone={tone} plain>
        {word}
        <span className="hidden">: {readable(of.message)}</span>
      </Badge>
    </span>
  )
}
