import { useState } from 'react'
import { graphql } from 'react-relay'
import type { ComposeMutation } from '../../__generated__/ComposeMutation.graphql'
import { useAction } from '../../core/action'
import { readDraft, useDraft } from '../../core/drafts'
import type { MissionStatus, Platform } from '../../core/enums'
import { dateOf, day, time } from '../../core/format'
import { useViewer } from '../../core/session'
import { toast } from '../../core/toast'
import { instant } from '../../core/zone'
import { useLimits, usePlatforms } from '../../text/limits'
import { LinkButton } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Field, Input, Segmented, Select } from '../../ui/field'
import { Choices } from '../../ui/menu'
import { Empty } from '../../ui/parts'
import { platformName } from '../../ui/platform'
import { type Draft, Parts, useFits, type Wrong, wrongOf } from '../../ui/post/Editor'
import { Post } from '../../ui/post/Post'

const mutation = graphql`
  mutation ComposeMutation($input: CreateContentInput!) {
    createContent(input: $input) {
      content {
        id
        status
        scheduledAt
      }
    }
  }
`

type Mission = { readonly id: string; readonly name: string; readonly status: MissionStatus; readonly platforms: readonly Platform[] }

// Compose makes a post by hand, with its preview beside it.
export default function Compose({
  at,
  zone,
  mission,
  missions,
  onClose,
}: {
  at: number | null
  zone: string
  mission: string | null
  missions: readonly Mission[]
  onClose: () => void
}) {
  const open = missions.filter((m) => m.status === 'ACTIVE' || m.status === 'PAUSED')
  if (open.length === 0) {
    return (
      <Dialog title="Write a post" onClose={onClose}>
        <Empty
          icon="mission"
          title="No mission is running"
          actions={
            <LinkButton href="/missions/new" look="primary">
              New mission
            </LinkButton>
          }
        >
          You can write posts for missions that are active or paused.
        </Empty>
      </Dialog>
    )
  }
  return <Form at={at} zone={zone} first={open.find((m) => m.id === mission) ?? open[0]!} missions={open} onClose={onClose} />
}

// A Begun is a post that isn't made yet. when is a local time of the calendar's zone.
type Begun = { mission: string; platform: Platform; account: string | null; draft: Draft; slot: 'free' | 'at'; when: string }

function Form({
  at,
  zone,
  first,
  missions,
  onClose,
}: {
  at: number | null
  zone: string
  first: Mission
  missions: readonly Mission[]
  onClose: () => void
}) {
  const name = `new-post:${useViewer().tenant.id}`
  const { value, set, typed, forget } = useDraft<Begun>(
    name,
    () => {
      const begun = readDraft<Begun>(name)
      const m = missions.find((m) => m.id === begun?.mission)
      return {
        ...(begun && m?.platforms.includes(begun.platform)
          ? begun
          : {
              mission: first.id,
              platform: first.platforms[0]!,
              account: null,
              draft: begun?.draft ?? { parts: [''], comment: '' },
              slot: 'free',
              when: '',
            }),
        ...(at !== null && { slot: 'at', when: `${dateOf(at, zone)}T${time(at, zone)}` }),
      }
    },
    (b) => [...b.draft.parts, b.draft.comment].join('\n\n'),
  )
  const { platform, account, draft, slot, when } = value
  const mission = missions.find((m) => m.id === value.mission) ?? first
  const change = (part: Partial<Begun>) => set({ ...value, ...part })
  const discard = () => {
    forget()
    onClose()
  }
  const [problem, setProblem] = useState<Wrong>(null)
  const [run, busy] = useAction<ComposeMutation>(mutation)
  const accounts = usePlatforms().find((p) => p.platform === platform)?.accounts ?? []
  const limits = useLimits()(platform, account)
  const fits = useFits(platform, account)(draft)
  const belong = (m: Mission | undefined) =>
    m && change({ mission: m.id, ...(!m.platforms.includes(platform) && { platform: m.platforms[0]!, account: null }) })
  const submit = () => {
    if (busy) return
    if (!fits)
      return setProblem({ message: draft.parts.some((p) => !p.trim()) ? 'Write a text first.' : 'The text is too long for its platform.' })
    const [date = '', hm = ''] = when.split('T')
    const [h = 0, m = 0] = hm.split(':').map(Number)
    if (slot === 'at' && !date) return setProblem({ param: 'scheduled_at', message: 'Choose when it goes out.' })
    run({
      variables: {
        input: {
          missionId: mission.id,
          platform,
          integrationId: account,
          ...(draft.parts.length > 1 ? { parts: draft.parts } : { text: draft.parts[0] }),
          firstComment: draft.comment || null,
          scheduledAt: slot === 'at' ? new Date(instant(date, h, m, zone)).toISOString() : null,
        },
      },
      done: (r) => {
        const c = r.createContent?.content
        const at = c?.scheduledAt && `${day(c.scheduledAt, zone)}, ${time(c.scheduledAt, zone)}`
        toast(
          c?.status === 'PENDING_REVIEW'
            ? `Added to the inbox for review.${at ? ` Once approved, it goes out ${at}.` : ''}`
            : at
              ? `It goes out ${at}.`
              : 'The post was created.',
        )
        discard()
      },
      failed: (e) => {
        setProblem(wrongOf(e))
        return true
      },
    })
  }
  const wrongTime = problem?.param && /scheduled_?[aA]t/.test(problem.param) ? problem.message : null
  return (
    <Dialog
      kind="wide"
      title="Write a post"
      onClose={onClose}
      onSubmit={submit}
      footer={
        <Choices no={typed ? 'Discard' : 'Cancel'} yes={slot === 'at' ? 'Schedule' : 'Add to the queue'} busy={busy} onNo={discard} />
      }
    >
      <div className="compose">
        <div className="stack">
          <div className="pair">
            <Select label="Mission" value={mission.id} onChange={(e) => belong(missions.find((m) => m.id === e.target.value))}>
              {missions.map((m) => (
                <option key={m.id} value={m.id}>
                  {m.name}
                </option>
              ))}
            </Select>
            <Select label="Platform" value={platform} onChange={(e) => change({ platform: e.target.value as Platform, account: null })}>
              {mission.platforms.map((p) => (
                <option key={p} value={p}>
                  {platformName(p)}
                </option>
              ))}
            </Select>
          </div>
          {accounts.length > 1 && (
            <Select label="Account" value={account ?? ''} onChange={(e) => change({ account: e.target.value || null })}>
              <option value="">The mission’s</option>
              {accounts.map((a) => (
                <option key={a.id} value={a.id}>
                  {a.label ?? a.account?.handle ?? a.id}
                </option>
              ))}
            </Select>
          )}
          <Parts
            platform={platform}
            integrationId={account}
            draft={draft}
            onChange={(d) => (change({ draft: d }), setProblem(null))}
            problem={wrongTime ? null : problem}
          />
          <Field label="Goes out" hint={slot === 'free' ? 'At the mission’s next free slot. You see when once it is added.' : undefined}>
            {() => (
              <Segmented
                label="Goes out"
                value={slot}
                options={[
                  { value: 'free', label: 'Next free slot' },
                  { value: 'at', label: 'At a time' },
                ]}
                onChange={(s) => change({ slot: s })}
              />
            )}
          </Field>
          {slot === 'at' && (
            <Input
              type="datetime-local"
              label="Time"
              hint={zone}
              problem={wrongTime}
              value={when}
              onChange={(e) => change({ when: e.target.value })}
            />
          )}
        </div>
        <div className="stack">
          <p className="small muted">Preview</p>
          <Post
            platform={platform}
            handle={accounts.find((a) => (account ? a.id === account : a.default))?.account?.handle ?? null}
            parts={draft.parts}
            comment={draft.comment || null}
            limits={limits}
          />
        </div>
      </div>
    </Dialog>
  )
}
