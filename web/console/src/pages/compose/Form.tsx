import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { serviceNow } from '../../core/clock'
import { composer } from '../../core/composer'
import { storeDraft } from '../../core/drafts'
import type { Platform } from '../../core/enums'
import { ownZone, relative } from '../../core/format'
import { toast } from '../../core/toast'
import { useLimits, usePlatforms } from '../../text/limits'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Select, TextArea } from '../../ui/field'
import { Uploads } from '../../ui/media/UploadList'
import { uploads, useUploads } from '../../ui/media/uploads'
import { useFiles } from '../../ui/media/useFiles'
import { Choices, Menu } from '../../ui/menu'
import { Note } from '../../ui/parts'
import { PlatformMark, platformName } from '../../ui/platform'
import { type Body, bodyOf, type Draft, type File, isEmpty, itemOf, type Mission, type Part, partsFor, textOf, wrongOf } from './body'
import { Keeper, type Kept, type State } from './keeper'
import { Slot } from './Slot'
import { Tabs, type Target } from './Tabs'
import { Texts } from './Texts'
import { useMedia } from './useMedia'
import { useSend } from './useSend'

const MediaPicker = lazy(() => import('../../ui/media/MediaPicker'))

// Where files are added to: a part of the text of all ("") or of a platform.
type Place = { of: string; part: number }

// Form is a post that is being written.
export function Form({
  name,
  zone = ownZone(),
  missions,
  first,
  kept,
  body: start,
  drafts,
  onOpen,
}: {
  name: string
  zone?: string
  missions: readonly Mission[]
  first: Mission
  kept: Kept | null
  body: Body
  drafts: readonly Draft[]
  // onOpen opens a draft by its id, or a new post.
  onOpen: (draft: string | null) => void
}) {
  const [mission, setMission] = useState(first)
  const [body, setBody] = useState(start)
  const [problems, setProblems] = useState<Partial<Record<string, string>>>({})
  const [shown, setShown] = useState(first.platforms[0]!)
  const [said, setSaid] = useState('')
  const [picking, setPicking] = useState(false)
  const [state, tell] = useState<State>('saved')
  const [keeper] = useState(() => new Keeper(name, kept ?? { id: null, version: 0, missionId: first.id, body: '', saved: null }, tell))
  const turned = useRef<Place>({ of: '', part: 0 })
  const all = usePlatforms()
  const limitsOf = useLimits()
  const [send, busy] = useSend(zone)

  const json = JSON.stringify(body)
  const empty = isEmpty(body)
  useEffect(() => keeper.put(mission.id, json, empty), [keeper, mission.id, json, empty])

  const targets: Target[] = mission.platforms
    .filter((p) => body.platforms.includes(p))
    .map((platform) => {
      const can = all.find((c) => c.platform === platform)
      const account = body.accounts[platform] ?? can?.accounts?.find((a) => mission.integrationIds.includes(a.id))?.id ?? null
      return { platform, can, account, limits: limitsOf(platform, account), problem: problems[platform] ?? problems[''] }
    })
  const files = [...body.parts, ...Object.values(body.own).flat()].flatMap((p) => p.files.map((f) => f.id))
  const media = useMedia(files)
  const sending = useUploads().some((u) => !u.problem) || files.some((id) => media.get(id)?.status === 'PROCESSING')

  const change = (to: Partial<Body>) => setBody((b) => ({ ...b, ...to }))
  // forget drops what was wrong with texts that were changed since: those of all, or a platform's.
  const forget = (of: string) =>
    setProblems((all) => Object.fromEntries(Object.entries(all).filter(([p]) => (of ? p !== of : body.tailored.includes(p)))))
  const setParts = ({ of }: Pick<Place, 'of'>, next: (parts: readonly Part[]) => readonly Part[]) => {
    setBody((b) => (of ? { ...b, own: { ...b.own, [of]: next(b.own[of] ?? b.parts) } } : { ...b, parts: next(b.parts) }))
    forget(of)
  }
  const attach = (place: Place, files: readonly File[]) =>
    setParts(place, (parts) =>
      parts.map((p, i) =>
        i === Math.min(place.part, parts.length - 1)
          ? { ...p, files: [...p.files, ...files.filter((f) => !p.files.some((x) => x.id === f.id))] }
          : p,
      ),
    )
  const [place, over] = useFiles((files) => {
    const to = { ...turned.current }
    uploads.add(files, (id) => attach(to, [{ id, alt: null }]))
  }, picking)

  const close = () => {
    composer.close()
    if (empty) return void keeper.discard()
    void keeper.flush()
    toast('The draft is kept.')
  }
  const discard = () => {
    composer.close()
    void keeper.discard()
    if (empty) return
    const again = () => {
      storeDraft<Kept>(name, { id: null, version: 0, missionId: mission.id, body: json, saved: null })
      composer.open()
    }
    toast('Discarded.', { action: { label: 'Undo', run: again } })
  }
  const submit = () => {
    if (busy) return
    if (sending) return setProblems({ '': 'The files aren’t there yet. Send it again in a moment.' })
    const wrong = Object.fromEntries(
      targets.flatMap((t) => {
        const why = wrongOf(partsFor(body, t.platform, t.can), t.limits, t.can)
        return why ? [[t.platform, why]] : []
      }),
    )
    if (targets.length === 0) return setProblems({ '': 'Choose where it goes.' })
    setProblems(wrong)
    const bad = targets.find((t) => wrong[t.platform])
    if (bad) return setShown(bad.platform)
    send(
      mission.id,
      targets.map((t) => itemOf(body, t.platform, t.can)),
      ({ said, refused, at }) => {
        const left = Object.keys(refused) as Platform[]
        if (left.length === 0) {
          toast(said)
          composer.close()
          return void keeper.discard()
        }
        setSaid(said)
        setProblems(refused)
        setShown(left[0]!)
        // What is left goes out with the others, if that is still ahead.
        change({ platforms: left, ...(at && left.length < targets.length && Date.parse(at) > serviceNow() + 60_000 && { at }) })
      },
      (message) => setProblems({ '': message }),
    )
  }
  const turn = (of: string) => (part: number) => void (turned.current = { of, part })
  const add = (of: string) => (part: number) => (turn(of)(part), setPicking(true))
  const comments = targets.filter((t) => t.can?.firstComment)
  return (
    <>
      <Dialog
        kind="wider"
        title="Write a post"
        onClose={close}
        onSubmit={submit}
        footer={
          <>
            <span className="small muted nowrap" role="status">
              {stateInWords(state, empty)}
            </span>
            <Drafts
              drafts={drafts.filter((d) => d.id !== keeper.id)}
              missions={missions}
              onOpen={async (draft) => {
                if (empty) await keeper.discard()
                else if (!(await keeper.flush())) return
                keeper.leave()
                onOpen(draft)
              }}
              more={!empty}
            />
            <span className="grow" />
            <Choices no={empty ? 'Cancel' : 'Discard'} yes={body.at ? 'Schedule' : 'Add to the queue'} busy={busy} onNo={discard} />
          </>
        }
      >
        <div className={`compose ${over ? 'over' : ''}`} {...place}>
          <div className="stack">
            {state === 'conflict' && (
              <Note
                tone="warn"
                actions={
                  <>
                    <Button
                      onClick={() => {
                        keeper.leave()
                        onOpen(keeper.id)
                      }}
                    >
                      Use that one
                    </Button>
                    <Button onClick={() => keeper.part()}>Keep both</Button>
                  </>
                }
              >
                This draft was changed in another tab or on another device.
              </Note>
            )}
            <div role="alert">
              {said && <Note tone="warn">{said}</Note>}
              {problems[''] && <Note tone="bad">{problems['']}</Note>}
            </div>
            <Select
              label="Mission"
              value={mission.id}
              onChange={(e) => {
                const next = missions.find((m) => m.id === e.target.value)!
                setMission(next)
                setProblems({})
                change({ platforms: next.platforms, at: null })
              }}
            >
              {missions.map((m) => (
                <option key={m.id} value={m.id}>
                  {m.name}
                </option>
              ))}
            </Select>
            <fieldset className="row wrap where">
              <legend className="hidden">Where it goes</legend>
              {mission.platforms.map((p) => (
                <label key={p} className="check">
                  <input
                    type="checkbox"
                    checked={body.platforms.includes(p)}
                    onChange={(e) =>
                      change({
                        platforms: mission.platforms.filter((o) => (o === p ? e.target.checked : body.platforms.includes(o))),
                      })
                    }
                  />
                  <span className="row">
                    <PlatformMark platform={p} quiet /> {platformName(p)}
                  </span>
                </label>
              ))}
            </fieldset>
            <Texts
              of=""
              parts={body.parts}
              most={Math.max(1, ...targets.map((t) => (t.can?.threads ? t.can.maxParts : 1)))}
              media={media}
              focus
              onChange={(p) => setParts({ of: '' }, () => p)}
              onTurn={turn('')}
              onAdd={add('')}
            />
            <Uploads />
            {comments.length > 0 && (
              <TextArea
                label="First comment"
                rows={2}
                optional
                hint={`Sent right after the post on ${comments.map((t) => platformName(t.platform)).join(', ')}.`}
                value={body.comment}
                onChange={(e) => (change({ comment: e.target.value }), setProblems({}))}
              />
            )}
            <Slot
              mission={mission}
              paused={mission.status === 'PAUSED'}
              zone={zone}
              at={body.at}
              onChange={(at) => (change({ at }), setProblems({}))}
            />
          </div>
          <Tabs
            body={body}
            targets={targets}
            shown={shown}
            media={media}
            onShow={setShown}
            onChange={change}
            onOwn={(of, p) => setParts({ of }, () => p)}
            onTurn={(part) => turn(shown)(part)}
            onAdd={(part) => add(shown)(part)}
          />
        </div>
      </Dialog>
      <Suspense>
        {picking && (
          <MediaPicker
            onClose={() => setPicking(false)}
            onChoose={(files) => {
              attach(
                turned.current,
                files.map((f) => ({ id: f.id, alt: null })),
              )
              setPicking(false)
            }}
          />
        )}
      </Suspense>
    </>
  )
}

function stateInWords(state: State, empty: boolean) {
  if (typeof state === 'object') return `The draft isn’t saved: ${state.problem}`
  if (empty || state === 'conflict') return ''
  return { waiting: 'Not saved yet', saving: 'Saving…', saved: 'Draft saved' }[state]
}

// Drafts are the other posts that the person has begun.
function Drafts({
  drafts,
  missions,
  more,
  onOpen,
}: {
  drafts: readonly Draft[]
  missions: readonly Mission[]
  // more says that another one may be begun.
  more: boolean
  onOpen: (draft: string | null) => void
}) {
  if (drafts.length === 0 && !more) return null
  return (
    <Menu
      label="Drafts"
      className="btn quiet"
      items={[
        ...(more ? [{ label: 'New post', icon: 'plus' as const, onSelect: () => onOpen(null) }] : []),
        ...drafts.map((d) => ({
          label: textOf(bodyOf(d.body)!).slice(0, 60) || 'Without a text',
          about: `${missions.find((m) => m.id === d.missionId)?.name ?? 'A mission that doesn’t run'}, ${relative(d.updatedAt, serviceNow())}`,
          onSelect: () => onOpen(d.id),
        })),
      ]}
    >
      Drafts{drafts.length > 0 && ` (${drafts.length})`}
    </Menu>
  )
}
