import { graphql } from 'react-relay'
import type { keeperDeleteMutation } from '../../__generated__/keeperDeleteMutation.graphql'
import type { keeperSaveMutation } from '../../__generated__/keeperSaveMutation.graphql'
import { commit } from '../../core/action'
import { storeDraft } from '../../core/drafts'
import { ApiError } from '../../core/errors'

const save = graphql`
  mutation keeperSaveMutation($input: SavePostDraftInput!) {
    savePostDraft(input: $input) {
      draft {
        id
        version
      }
    }
  }
`

const remove = graphql`
  mutation keeperDeleteMutation($id: ID!) {
    deletePostDraft(id: $id) {
      deletedId
    }
  }
`

// Kept is a draft as this tab has it; saved is the body that the service has.
export type Kept = { id: string | null; version: number; missionId: string; body: string; saved: string | null }

export type State = 'saved' | 'waiting' | 'saving' | 'conflict' | { problem: string }

// How long nothing is typed before it is saved, in ms.
const rest = 3000

// Keeper saves what is written: in the tab at once, and at the service once the person pauses,
// one save after the other. What was saved elsewhere meanwhile isn't overwritten.
export class Keeper {
  private timer: ReturnType<typeof setTimeout> | undefined
  private under: Promise<void> | null = null
  private stopped = false
  private gone = false

  constructor(
    private readonly name: string,
    private kept: Kept,
    private readonly tell: (s: State) => void,
  ) {}

  get id() {
    return this.kept.id
  }

  // put takes what is written now.
  put(missionId: string, body: string, empty: boolean) {
    if (this.gone) return
    this.kept = { ...this.kept, missionId, body }
    storeDraft(this.name, empty && !this.kept.id ? null : this.kept)
    clearTimeout(this.timer)
    if (this.stopped || body === this.kept.saved || (empty && !this.kept.id)) return
    this.tell('waiting')
    this.timer = setTimeout(() => void this.flush(), rest)
  }

  // flush saves what isn't saved yet, and returns whether all is.
  async flush(): Promise<boolean> {
    clearTimeout(this.timer)
    while (this.under) await this.under
    if (!this.gone && !this.stopped && this.kept.body !== this.kept.saved) {
      this.under = this.save().finally(() => (this.under = null))
      await this.under
    }
    return this.kept.body === this.kept.saved
  }

  private async save(): Promise<void> {
    const { id, version, missionId, body } = this.kept
    this.tell('saving')
    try {
      const r = await commit<keeperSaveMutation>(save, { input: { missionId, body, ...(id && { id, version }) } })
      const d = r.savePostDraft!.draft
      this.kept = { ...this.kept, id: d.id, version: d.version, saved: body }
      if (!this.gone) storeDraft(this.name, this.kept)
      this.tell(this.kept.body === body ? 'saved' : 'waiting')
    } catch (e) {
      const code = e instanceof ApiError ? e.code : ''
      if (code === 'not_found') {
        // It was sent or discarded elsewhere; what is written here stays.
        this.kept = { ...this.kept, id: null, version: 0 }
        return this.save()
      }
      this.stopped = code === 'conflict' && id !== null
      this.tell(this.stopped ? 'conflict' : { problem: (e as Error).message })
    }
  }

  // part makes what is written here a draft of its own, beside the one that was saved elsewhere.
  part() {
    this.kept = { ...this.kept, id: null, version: 0, saved: null }
    this.stopped = false
    void this.flush()
  }

  // leave ends it without a trace in the tab.
  leave() {
    this.gone = true
    clearTimeout(this.timer)
    storeDraft(this.name, null)
  }

  // discard deletes the draft: it was sent, or nobody wants it.
  async discard() {
    this.leave()
    await this.under
    // One that is gone already is no error, nor is one that stays: it is in the list.
    if (this.kept.id) await commit<keeperDeleteMutation>(remove, { id: this.kept.id }).catch(() => {})
  }
}
