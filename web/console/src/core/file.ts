// save gives the browser a file to save.
export function save(name: string, type: string, text: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

export type Cell = string | number | null | undefined

// csv returns rows as comma-separated values. Texts that a spreadsheet would take for a
// formula begin with an apostrophe.
export function csv(rows: readonly (readonly Cell[])[]) {
  const cell = (v: Cell) => {
    const text = typeof v === 'string' && /^[=+\-@\t\r]/.test(v) ? `'${v}` : String(v ?? '')
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  return rows.map((r) => r.map(cell).join(',')).join('\n') + '\n'
}
