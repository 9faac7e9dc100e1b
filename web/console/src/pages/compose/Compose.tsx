import './compose.css'
import { useEffect, useState } from 'react'
import { fetchQuery, graphql } from 'react-relay'
import type { ComposeQuery } from '../../__generated__/ComposeQuery.graphql'
import { composer, type Opened } from '../../core/composer'
import { readDraft } from '../../core/drafts'
import { forPeople } from '../../core/fault'
import { environment } from '../../core/relay'
import { useViewer } from '../../core/session'
import { toast } from '../../core/toast'
import { LinkButton } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Empty } from '../../ui/parts'
import { begun, type Body, bodyOf, type Draft, type Mission } from './body'
import { Form } from './Form'
import type { Kept } from './keeper'

const query = graphql`
  query ComposeQuery {
    active: missions(filter: { status: ACTIVE }, first: 100) {
      edges {
        node {
          id
          name
          status
          platforms
          integrationIds
        }
      }
    }
    paused: missions(filter: { status: PAUSED }, first: 100) {
      edges {
        node {
          id
          name
          status
          platforms
          integrationIds
        }
      }
    }
    postDrafts {
      id
      missionId
      body
      version
      updatedAt
    }
  }
`

type Loaded = { turn: number; missions: readonly Mission[]; drafts: readonly Draft[]; kept: Kept | null }

// Compose is where posts are written: for all of a mission's platforms at once.
export default function Compose({ at, zone, mission }: Opened) {
  const { tenant, user } = useViewer()
  const name = `new-post:${tenant.id}:${user.id}`
  // What is opened: a draft, a new post for null, and first what the tab was left with.
  const [wanted, setWanted] = useState<{ turn: number; draft?: string | null }>({ turn: 0 })
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  useEffect(() => {
    let shown = true
    fetchQuery<ComposeQuery>(environment, query, {})
      .toPromise()
      .then(
        (data) => {
          if (!shown) return
          const drafts = (data?.postDrafts ?? []).filter((d) => bodyOf(d.body))
          const chosen = drafts.find((d) => d.id === wanted.draft)
          setLoaded({
            turn: wanted.turn,
            missions: [...(data?.active?.edges ?? []), ...(data?.paused?.edges ?? [])].map((e) => e.node),
            drafts,
            kept: wanted.draft === undefined ? left(name, drafts) : chosen ? keptOf(chosen) : null,
          })
        },
        (e: Error) => {
          if (!shown) return
          toast(forPeople(e).message, { tone: 'bad' })
          composer.close()
        },
      )
    return () => void (shown = false)
  }, [wanted, name])
  if (!loaded) return null
  const { turn, missions, drafts, kept } = loaded
  if (missions.length === 0) {
    return (
      <Dialog title="Write a post" onClose={composer.close}>
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
  const first = missions.find((m) => m.id === (kept?.missionId ?? mission)) ?? missions[0]!
  return (
    <Form
      key={turn}
      name={name}
      zone={zone}
      missions={missions}
      first={first}
      kept={kept}
      body={bodyFor(kept, turn === 0 ? at : undefined, first)}
      drafts={drafts}
      onOpen={(draft) => setWanted({ turn: turn + 1, draft })}
    />
  )
}

const keptOf = (d: Draft): Kept => ({ id: d.id, version: d.version, missionId: d.missionId, body: d.body, saved: d.body })

// left returns what the tab was left with, unless it was sent, discarded or saved elsewhere since.
function left(name: string, drafts: readonly Draft[]): Kept | null {
  const kept = readDraft<Kept>(name)
  if (!kept?.body || !bodyOf(kept.body)) return null
  const theirs = drafts.find((d) => d.id === kept.id)
  if (kept.body !== kept.saved) return theirs || !kept.id ? kept : { ...kept, id: null, version: 0, saved: null }
  return theirs ? keptOf(theirs) : null
}

// bodyFor returns what a form begins with, for a mission's platforms and a time, if one is wanted.
function bodyFor(kept: Kept | null, at: number | undefined, mission: Mission): Body {
  const body = (kept && bodyOf(kept.body)) ?? begun(mission.platforms)
  const there = body.platforms.filter((p) => mission.platforms.some((m) => m === p))
  return {
    ...body,
    platforms: there.length > 0 ? there : mission.platforms,
    ...(at !== undefined && { at: new Date(at).toISOString() }),
  }
}
