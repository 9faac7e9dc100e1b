// Sheet is a file of posts, cut into its rows. Lines are counted from 1.
export type Sheet = { format: 'CSV' | 'NDJSON'; head: string; rows: Row[] }
type Row = { line: number; text: string }

// Piece is some rows of a sheet, as the service takes them in one request.
export type Piece = { data: string; rows: Row[] }

// How large a piece is at most. Requests have 64 KiB, of which the data is written as JSON;
// few rows let the progress be seen.
const mostBytes = 48 * 1024
const mostRows = 100

// blank reports whether the service trims all of a text.
const blank = (text: string) => /^[\s\u0085]*$/.test(text)

// sheetOf cuts a file as the service does: both read sheets.json in their tests.
export function sheetOf(file: string): Sheet {
  const text = file.replaceAll('\uFEFF', '').replace(/\r\n?/g, '\n')
  const lines = text.split('\n')
  const first = lines.find((l) => !blank(l)) ?? ''
  if (first.trimStart().startsWith('{')) {
    const rows = lines.map((text, i) => ({ line: i + 1, text })).filter((row) => !blank(row.text))
    return { format: 'NDJSON', head: '', rows }
  }
  const { comma, named } = separatorOf(lines)
  const rows: Row[] = []
  for (let at = 0, line = 1; at < text.length;) {
    const end = rowEnd(text, at, comma)
    const row = { line, text: text.slice(at, end) }
    line += row.text.split('\n').length
    at = end + 1
    const empty = row.text.split(comma).every((cell) => blank(cell.replace(/^"(.*)"$/s, '$1')))
    if (!empty && row.line > named) rows.push(row)
  }
  const head = [...lines.slice(Math.max(named - 1, 0), named), ...rows.splice(0, 1).map((r) => r.text)].join('\n')
  return { format: 'CSV', head, rows }
}

// separatorOf returns the separator that a first line names ("sep=;"), with that line's
// number, or that the header has most; named is 0 then.
function separatorOf(lines: string[]) {
  const at = lines.findIndex((l) => l !== '')
  const first = lines[at] ?? ''
  const name = /^"?sep=([,;|:~^!#\t])"?$/i.exec(first)
  if (name?.[1]) return { comma: name[1], named: at + 1 }
  const count = (c: string) => first.split(c).length
  let comma = ','
  for (const c of [';', '\t']) if (count(c) > count(comma)) comma = c
  return { comma, named: 0 }
}

// rowEnd returns where a row ends: at the first line's end that isn't in quotes, or at the
// first of all if its quotes are wrong.
function rowEnd(text: string, from: number, comma: string): number {
  const found = text.indexOf('\n', from)
  const lineEnd = found < 0 ? text.length : found
  for (let at = from; ; at++) {
    if (text[at] === '"') {
      for (at++; text[at] !== '"' || text[at + 1] === '"'; at += text[at] === '"' ? 2 : 1) {
        if (at >= text.length) return lineEnd
      }
      at++
    } else {
      while (at < text.length && text[at] !== comma && text[at] !== '\n') if (text[at++] === '"') return lineEnd
    }
    if (at >= text.length || text[at] === '\n') return at
    if (text[at] !== comma) return lineEnd
  }
}

// piecesOf returns a sheet's rows in pieces, each with the head.
export function piecesOf({ head, rows }: Sheet): Piece[] {
  const bytes = (text: string) => new TextEncoder().encode(JSON.stringify(text)).length
  const pieces: Row[][] = []
  let size = 0
  for (const row of rows) {
    const more = bytes(row.text)
    const last = pieces.at(-1)
    if (last && last.length < mostRows && size + more <= mostBytes) last.push(row)
    else {
      pieces.push([row])
      size = bytes(head)
    }
    size += more
  }
  return pieces.map((rows) => ({ rows, data: [...(head ? [head] : []), ...rows.map((r) => r.text)].join('\n') }))
}
