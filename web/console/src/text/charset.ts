// textOf returns the text of a file and the character set that it is read as: UTF-16 by its
// byte order mark, else UTF-8, or Windows-1252, which spreadsheets write, if it isn't that.
// It throws if the file isn't the UTF-16 that it seems to be. rest/charset.go decodes as it
// does: charsets.json holds both to the same.
export function textOf(file: Uint8Array<ArrayBuffer>) {
  const read = (charset: string) => new TextDecoder(charset, { fatal: true }).decode(file)
  const mark = (file[0] ?? 0) * 256 + (file[1] ?? 0)
  if (mark === 0xfffe) return { text: read('utf-16le'), charset: 'utf-16' }
  if (mark === 0xfeff) return { text: read('utf-16be'), charset: 'utf-16' }
  try {
    return { text: read('utf-8'), charset: 'utf-8' }
  } catch {
    return { text: read('windows-1252'), charset: 'windows-1252' }
  }
}
