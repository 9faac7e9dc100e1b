import { useEffect, useState } from 'react'
import { fetchQuery, graphql } from 'react-relay'
import type { SlotQuery } from '../../__generated__/SlotQuery.graphql'
import { serviceNow } from '../../core/clock'
import { day, localOf, time } from '../../core/format'
import { environment } from '../../core/relay'
import { instant } from '../../core/zone'
import { Button } from '../../ui/button'
import { Input } from '../../ui/field'

const query = graphql`
  query SlotQuery($mission: ID!, $after: DateTime) {
    freeSlots(missionId: $mission, after: $after, first: 10)
  }
`

const read = (mission: string, after: string | null) =>
  fetchQuery<SlotQuery>(environment, query, { mission, after })
    .toPromise()
    .then((r) => r?.freeSlots ?? [])

// Slot says when the posts go out: at the mission's next free slot, at one before or behind it,
// or at a time that the person picks.
export function Slot({
  mission,
  paused,
  zone,
  at,
  onChange,
}: {
  mission: { id: string; name: string }
  paused: boolean
  zone: string
  at: string | null // null is the next free slot
  onChange: (at: string | null) => void
}) {
  const [slots, setSlots] = useState<readonly string[] | null>(null)
  const [picking, setPicking] = useState(false)
  useEffect(() => {
    let shown = true
    setSlots(null)
    read(mission.id, null).then(
      (found) => shown && setSlots(found),
      () => shown && setSlots([]),
    )
    return () => void (shown = false)
  }, [mission.id])
  const shown = at ?? slots?.[0]
  const free = at === null || !!slots?.includes(at)
  const before = shown && slots?.filter((s) => s < shown).at(-1)
  const choose = (s: string) => {
    setPicking(false)
    onChange(s === slots?.[0] ? null : s)
  }
  const later = async () => {
    if (!shown) return
    const known = slots?.find((s) => s > shown)
    if (known) return choose(known)
    const more = await read(mission.id, shown).catch(() => [])
    if (!more[0]) return
    setSlots([...(slots ?? []), ...more])
    choose(more[0])
  }
  const local = shown ? localOf(shown, zone) : ''
  return (
    <div className="slot-in-words stack" role="group" aria-label="Goes out">
      <p role="status">
        <span className="label">Goes out </span>
        {!shown ? (
          slots ? (
            'at no free slot: the mission ends before'
          ) : (
            '…'
          )
        ) : (
          <>
            <strong className="num">
              {at === null && Date.parse(shown) < serviceNow() + 60_000 ? 'At once' : `${day(shown, zone)}, ${time(shown, zone)}`}
            </strong>
            {free && (
              <span className="muted">
                {' '}
                · {at === null ? 'next free slot' : 'free slot'} of {mission.name}
              </span>
            )}
          </>
        )}
      </p>
      {paused && <p className="small muted">The mission is paused: nothing goes out until it is resumed.</p>}
      <div className="row wrap">
        <Button icon="left" disabled={!before} onClick={() => before && choose(before)}>
          Earlier
        </Button>
        <Button icon="right" disabled={!shown} onClick={() => void later()}>
          Later
        </Button>
        <Button icon="clock" aria-expanded={picking || !free} onClick={() => setPicking(!picking)}>
          Pick a time
        </Button>
        {at !== null && (
          <Button look="quiet" onClick={() => (setPicking(false), onChange(null))}>
            Next free slot
          </Button>
        )}
      </div>
      {(picking || !free) && (
        <Input
          type="datetime-local"
          label="Time"
          hint={zone}
          defaultValue={local}
          key={picking || !free ? 'open' : 'closed'}
          onChange={(e) => {
            const [date, hm = ''] = e.target.value.split('T')
            const [h = 0, m = 0] = hm.split(':').map(Number)
            if (date) onChange(new Date(instant(date, h, m, zone)).toISOString())
          }}
        />
      )}
    </div>
  )
}
