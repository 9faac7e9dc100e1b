// Sheet is a file of posts, cut into its rows. Lines are counted from 1.
export type Sheet = { format: 'CSV' | 'NDJSON'; head: string; rows: Row[] }
type Row = { line: number; text: string }

// Piece is some rows of a sheet, as the service takes them in one request.
export type Piece = { data: string; rows: Row[] }

// How large a piece is at most. Requests have 64 KiB, of which the data is written as JSON;
// few rows let the progress be seen.
const mostBytes = 48 * 1024
const mostRows = 100

// sheetOf cuts a file. A row of comma-separated values goes on over the line breaks between
// quotes.
export function sheetOf(file: string): Sheet {
  const lines = file.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  const format = lines.find((l) => l.trim())?.trimStart().startsWith('{') ? 'NDJSON' : 'CSV'
  const rows: Row[] = []
  let open: Row | null = null
  lines.forEach((text, i) => {
    const row: Row = open ? { line: open.line, text: `${open.text}\n${text}` } : { line: i + 1, text }
    open = format === 'CSV' && (row.text.split('"').length - 1) % 2 === 1 ? row : null
    if (!open && row.text.trim()) rows.push(row)
  })
  if (open) rows.push(open)
  const head = format === 'CSV' ? (rows.shift()?.text ?? '') : ''
  return { format, head, rows }
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
