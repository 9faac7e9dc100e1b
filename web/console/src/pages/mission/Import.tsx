import { useRef, useState } from 'react'
import { graphql } from 'react-relay'
import type { ImportMutation } from '../../__generated__/ImportMutation.graphql'
import { useAction } from '../../core/action'
import { forPeople } from '../../core/fault'
import { plural, readable } from '../../core/format'
import { textOf } from '../../text/charset'
import { type Piece, piecesOf, type Sheet, sheetOf } from '../../text/sheet'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Field } from '../../ui/field'
import { Note } from '../../ui/parts'

const mutation = graphql`
  mutation ImportMutation($input: ImportContentsInput!) {
    importContents(input: $input) {
      created
      rows {
        line
        problem {
          param
          message
        }
      }
    }
  }
`

type Problem = { line: number; message: string }

// State is how far an import is. made counts the posts that are made or, after the check,
// that can be.
type State =
  | { step: 'choose'; failed?: string }
  | { step: 'check' | 'make'; done: number; of: number }
  | { step: 'checked'; made: number; problems: Problem[] }
  | { step: 'made'; made: number; problems: Problem[]; stopped?: string }

// shownProblems is how many problems are listed.
const shownProblems = 50

// Chosen is the file that was chosen. guessed is a piece of it whose letters depend on the
// character set, if that was guessed.
type Chosen = Sheet & { name: string; guessed?: string }

// chosen reads a file. It throws if that isn't a text.
async function chosen(file: File): Promise<Chosen> {
  const { text, charset } = textOf(new Uint8Array(await file.arrayBuffer()))
  return { ...sheetOf(text), name: file.name, guessed: charset === 'windows-1252' ? /.{0,30}[^\s -~].{0,30}/.exec(text)?.[0] : undefined }
}

// Import makes posts of a file: all rows are checked first, and made when a person has seen
// what is wrong. Both are done piece by piece, and can be stopped between two.
export default function Import({ mission, onClose }: { mission: string; onClose: () => void }) {
  const [state, setState] = useState<State>({ step: 'choose' })
  const [sheet, setSheet] = useState<Chosen | null>(null)
  const [run] = useAction<ImportMutation>(mutation)
  const stop = useRef(false)
  const send = (format: Sheet['format'], piece: Piece, dryRun: boolean) =>
    new Promise<ImportMutation['response']>((done, failed) =>
      run({
        variables: { input: { format, data: piece.data, missionId: mission, dryRun, partial: true } },
        done,
        failed: (e) => {
          failed(e)
          return true
        },
      }),
    )
  // all sends each piece, and returns what came of them.
  const all = async (of: Sheet, dryRun: boolean) => {
    const pieces = piecesOf(of)
    const problems: Problem[] = []
    let [done, made] = [0, 0]
    stop.current = false
    try {
      for (const piece of pieces) {
        if (stop.current) return { made, problems, stopped: 'Stopped.' }
        setState({ step: dryRun ? 'check' : 'make', done, of: of.rows.length })
        const { importContents: r } = await send(of.format, piece, dryRun)
        made += r?.created ?? 0
        r?.rows.forEach(
          (row, i) => row.problem && problems.push({ line: piece.rows[i]?.line ?? row.line, message: readable(row.problem.message) }),
        )
        done += piece.rows.length
      }
      return { made, problems }
    } catch (e) {
      return { made, problems, stopped: forPeople(e).message }
    }
  }
  const check = async (file: File) => {
    const read = await chosen(file).catch(() => null)
    if (!read) return setState({ step: 'choose', failed: 'The file can’t be read. Save it as CSV UTF-8.' })
    if (read.rows.length === 0) return setState({ step: 'choose', failed: 'The file has no rows.' })
    setSheet(read)
    const { stopped, ...result } = await all(read, true)
    setState(stopped ? { step: 'choose', failed: stopped } : { step: 'checked', ...result })
  }
  const make = async () => {
    const result = await all(sheet!, false)
    setState({ step: 'made', ...result })
  }
  const busy = state.step === 'check' || state.step === 'make'
  return (
    <Dialog
      title="Import posts"
      about="A file of comma- or tab-separated values with a header row, or of JSON lines."
      onClose={() => (busy ? (stop.current = true) : onClose())}
      footer={
        busy ? (
          <Button onClick={() => (stop.current = true)}>Stop</Button>
        ) : state.step === 'checked' ? (
          <>
            <Button onClick={() => setState({ step: 'choose' })}>Another file</Button>
            {state.made > 0 && (
              <Button look="primary" onClick={() => void make()}>
                {state.problems.length > 0 ? `Import the other ${state.made}` : `Import ${plural(state.made, 'post')}`}
              </Button>
            )}
          </>
        ) : (
          <Button onClick={onClose}>{state.step === 'made' ? 'Close' : 'Cancel'}</Button>
        )
      }
    >
      <div className="stack">
        {state.step === 'choose' && (
          <>
            <Field
              label="File"
              hint="Columns: platform, and text or parts. Optional: scheduled_at, first_comment and integration_id."
              problem={state.failed}
            >
              {(p) => (
                <input
                  {...p}
                  type="file"
                  className="input"
                  accept=".csv,.tsv,.txt,.ndjson,.jsonl,text/csv,text/tab-separated-values,application/x-ndjson"
                  onChange={(e) => e.target.files?.[0] && void check(e.target.files[0])}
                />
              )}
            </Field>
            <p className="small muted">Posts without a time take the mission’s next free slots.</p>
          </>
        )}
        {busy && (
          <label className="stack tight" role="status">
            <span>
              {state.step === 'check' ? 'Checking' : 'Importing'} {sheet?.name}: {state.done} of {plural(state.of, 'row')}
            </span>
            <progress max={state.of} value={state.done} />
          </label>
        )}
        {state.step === 'checked' && (
          <div role="status" className="stack">
            <p>
              {state.made} of {plural(sheet!.rows.length, 'row')} can be imported.
            </p>
            {sheet!.guessed && (
              <Note tone="warn">
                The file isn’t UTF-8. It was read as Windows-1252: <q>{sheet!.guessed}</q>
              </Note>
            )}
          </div>
        )}
        {state.step === 'made' && (
          <div role="status">
            <Note tone={state.stopped ? 'warn' : 'ok'}>
              {state.stopped && `${state.stopped} `}
              {plural(state.made, 'post')} imported.
            </Note>
          </div>
        )}
        {'problems' in state && state.problems.length > 0 && (
          <ul className="problems small">
            {state.problems.slice(0, shownProblems).map((p) => (
              <li key={p.line}>
                <span className="strong">Line {p.line}:</span> {p.message}
              </li>
            ))}
            {state.problems.length > shownProblems && <li className="muted">and {state.problems.length - shownProblems} more</li>}
          </ul>
        )}
      </div>
    </Dialog>
  )
}
