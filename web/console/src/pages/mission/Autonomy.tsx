import { useState } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay'
import { Link } from 'wouter'
import type { AutonomyEndReason, AutonomyQuery, AutonomyQuery$data, AutonomyState } from '../../__generated__/AutonomyQuery.graphql'
import type { AutonomySetMutation } from '../../__generated__/AutonomySetMutation.graphql'
import { useAction } from '../../core/action'
import { useEdits } from '../../core/edits'
import { count, plural } from '../../core/format'
import { useFresh, useRefresh } from '../../core/live'
import { useProblems } from '../../core/problems'
import { useMay } from '../../core/session'
import { inWords, table } from '../../core/table'
import { toast } from '../../core/toast'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Input } from '../../ui/field'
import { Choices } from '../../ui/menu'
import { Card, Meter, type Tone } from '../../ui/parts'
import { Problem } from '../../ui/problem'
import { State, unknown } from '../../ui/status'
import { Time } from '../../ui/time'

const states = table<AutonomyState, [string, Tone]>(
  { OFF: ['Off', ''], EARNING: ['Being earned', 'info'], EARNED: ['Earned', 'ok'] },
  unknown,
)

const ends = table<AutonomyEndReason, string>(
  {
    REJECTION: 'a post was rejected',
    EDIT: 'a person edited a post, or had it rewritten',
    CANCEL: 'a person canceled a post',
    ANOMALY: 'a post’s figures were unusual',
    HOLD: 'publishing was put on hold',
    BRAND_CHANGED: 'the brand was changed',
    WRITER_CHANGED: 'another writer took over',
  },
  (value) => inWords(value).toLowerCase(),
)

// Autonomy is what a mission may publish without review, on what that rests and what ends it.
export function Autonomy({ id }: { id: string }) {
  const [fetchKey, refresh] = useFresh(['MISSIONS', 'TENANT'])
  useRefresh(['CONTENT_', 'ANALYTICS_ANOMALY', 'TENANT_'], refresh, (e) => !e.mission || e.mission.id === id)
  const { mission: m, missionAutonomy: at } = useLazyLoadQuery<AutonomyQuery>(
    graphql`
      query AutonomyQuery($id: ID!) {
        mission(id: $id) {
          id
          allowedActions
          constraints {
            requireApproval
          }
          autonomy {
            earned {
              after
              share
            }
          }
        }
        missionAutonomy(missionId: $id) {
          state
          missing
          approvals {
            contentId
          }
          ended {
            reason
            at
            contentId
          }
        }
      }
    `,
    { id },
    { fetchPolicy: 'store-and-network', fetchKey },
  )
  const may = useMay('MISSIONS_WRITE')
  const [changing, setChanging] = useState(false)
  if (!m || !at) return null
  const rule = m.autonomy?.earned
  const has = rule ? rule.after - at.missing : 0
  return (
    <Card
      title="Publishing without review"
      aside={
        may &&
        m.constraints.requireApproval &&
        m.allowedActions.includes('UPDATE') && <Button onClick={() => setChanging(true)}>{rule ? 'Change' : 'Let it earn that'}</Button>
      }
    >
      {!m.constraints.requireApproval ? (
        <p className="muted">Its posts need no approval.</p>
      ) : !rule ? (
        <p className="muted">A person approves each post.</p>
      ) : (
        <div className="stack">
          <p className="row wrap">
            <State of={states(at.state)} />
            <span>
              {at.state === 'EARNED'
                ? `${percent(rule.share)} of the writer’s posts go out without review.`
                : `${plural(at.missing, 'more approval')} in a row, and ${percent(rule.share)} of the writer’s posts go out without review.`}
            </span>
          </p>
          {at.state !== 'EARNED' && (
            <Meter label="Approvals in a row" value={has} max={rule.after} text={`${has} of ${plural(rule.after, 'approval')}`} />
          )}
          <p className="small muted">
            {at.approvals.length > 0 &&
              `It rests on ${at.approvals.length === 50 ? 'the latest 50' : count(at.approvals.length)} approvals. `}
            A post with a platform, link, file or fact that none of the approved ones has always waits for review. It ends when a post is
            rejected, edited, rewritten or canceled by a person, when a post’s figures are unusual, when publishing is put on hold, and when
            the brand or the writer changes.
          </p>
          {at.ended && (
            <p className="small">
              It began anew <Time at={at.ended.at} />, because{' '}
              {at.ended.contentId ? (
                <Link className="link" href={`/posts/${at.ended.contentId}`}>
                  {ends(at.ended.reason)}
                </Link>
              ) : (
                ends(at.ended.reason)
              )}
              .
            </p>
          )}
        </div>
      )}
      {changing && <Rule id={id} rule={rule} onClose={() => setChanging(false)} onDone={() => (setChanging(false), refresh())} />}
    </Card>
  )
}

const percent = (share: number) => `${count(100 * share)} %`

type Earned = NonNullable<NonNullable<AutonomyQuery$data['mission']>['autonomy']>['earned']

function Rule({ id, rule, onClose, onDone }: { id: string; rule?: Earned; onClose: () => void; onDone: () => void }) {
  const {
    values: { after, share },
    typed,
    set: edit,
    forget,
  } = useEdits(`autonomy ${id}`, { after: String(rule?.after ?? 10), share: String(Math.round(100 * (rule?.share ?? 0.5))) })
  const { of, rest, clear, failed } = useProblems('autonomy.earned.after', 'autonomy.earned.share')
  const [run, busy] = useAction<AutonomySetMutation>(graphql`
    mutation AutonomySetMutation($id: ID!, $input: UpdateMissionInput!) {
      updateMission(id: $id, input: $input) {
        mission {
          id
          autonomy {
            earned {
              after
              share
            }
          }
        }
      }
    }
  `)
  const set = (autonomy: AutonomySetMutation['variables']['input']['autonomy']) =>
    run({
      variables: { id, input: { autonomy } },
      done: () => (toast(autonomy ? 'Saved.' : 'Each post waits for review again.'), forget(), onDone()),
      failed,
    })
  return (
    <Dialog
      title="Publishing without review"
      about="Once enough posts were approved as they were written, a share of the writer’s posts goes out without review."
      onClose={onClose}
      onSubmit={() => set({ earned: { after: Number(after), share: Number(share) / 100 } })}
      footer={
        <>
          {rule && (
            <Button look="danger" busy={busy} onClick={() => set(null)}>
              Switch off
            </Button>
          )}
          <Choices no={typed ? 'Discard' : 'Cancel'} yes="Save" busy={busy} onNo={() => (forget(), onClose())} />
        </>
      }
    >
      <div className="stack">
        <Input
          label="Approvals in a row"
          type="number"
          min={1}
          max={50}
          value={after}
          problem={of('autonomy.earned.after')}
          onChange={(e) => (edit({ after: e.target.value }), clear())}
        />
        <Input
          label="Share of the posts, in %"
          type="number"
          min={1}
          max={100}
          value={share}
          problem={of('autonomy.earned.share')}
          onChange={(e) => (edit({ share: e.target.value }), clear())}
        />
        <Problem of={rest} />
      </div>
    </Dialog>
  )
}
