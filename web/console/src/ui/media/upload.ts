import { graphql } from 'react-relay'
import type { uploadCompleteMutation } from '../../__generated__/uploadCompleteMutation.graphql'
import type { uploadCreateMutation } from '../../__generated__/uploadCreateMutation.graphql'
import { commit } from '../../core/action'
import { readable } from '../../core/format'

const create = graphql`
  mutation uploadCreateMutation($input: CreateMediaUploadInput!) {
    createMediaUpload(input: $input) {
      upload {
        id
        uploadUrl
        headers {
          name
          value
        }
      }
    }
  }
`

const complete = graphql`
  mutation uploadCompleteMutation($id: ID!) {
    completeMediaUpload(id: $id) {
      media {
        id
        status
      }
    }
  }
`

// What an upload takes, for a field of files. Its bytes decide.
export const accepted = 'image/jpeg,image/png,image/webp,image/gif,image/heic,.heic,video/mp4,video/quicktime'

// Browsers don't know the types of all files that phones make.
const types: Record<string, string> = { heic: 'image/heic', heif: 'image/heic', mov: 'video/quicktime' }

const typeOf = (file: File) => file.type || types[file.name.split('.').pop()!.toLowerCase()] || 'application/octet-stream'

// How long nothing may arrive before the bytes are sent again, and how long is waited before that
// each time, in ms.
const stalled = 60_000
const pauses = [1000, 3000, 8000]

// What is said where the service doesn't say it: of a proxy before it, or nothing at all.
const tooLarge = 'The file is too large for the way to the service. An administrator can raise that limit.'
const lost = 'The file couldn’t be sent. Check your connection, and try again.'

// upload sends a file, and returns its id: it is examined from now on. sent is told which share has
// arrived. Its errors are for people.
export async function upload(file: File, sent: (share: number) => void, signal: AbortSignal): Promise<string> {
  const made = await commit<uploadCreateMutation>(create, { input: { contentType: typeOf(file), bytes: file.size } })
  const { id, uploadUrl, headers } = made.createMediaUpload!.upload
  for (let n = 0; ; n++) {
    const { status, wait, message } = await put(uploadUrl, headers, file, sent, signal)
    signal.throwIfAborted()
    if (status >= 200 && status < 300) break
    // It was one too many at once, or the service doesn't answer: the bytes may be sent again.
    const passes = status === 0 || status === 429 || status >= 500
    if (!passes || n >= pauses.length) throw new Error(message || (status === 413 ? tooLarge : lost))
    await new Promise((done) => setTimeout(done, wait || pauses[n]))
    signal.throwIfAborted()
  }
  await commit<uploadCompleteMutation>(complete, { id })
  return id
}

type Sent = { status: number; wait: number; message?: string }

// put sends a file's bytes. A request without a response has the status 0.
function put(
  url: string,
  headers: readonly { name: string; value: string }[],
  file: File,
  sent: (share: number) => void,
  signal: AbortSignal,
): Promise<Sent> {
  return new Promise((done) => {
    const request = new XMLHttpRequest()
    const end = () => request.abort()
    let timer = setTimeout(end, stalled)
    request.open('PUT', url)
    for (const h of headers) request.setRequestHeader(h.name, h.value)
    request.upload.onprogress = (e) => {
      clearTimeout(timer)
      timer = setTimeout(end, stalled)
      sent(e.loaded / Math.max(1, e.total))
    }
    request.onloadend = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      done({
        status: request.status,
        wait: 1000 * Number(request.status && request.getResponseHeader('Retry-After')),
        message: messageOf(request.responseText),
      })
    }
    signal.addEventListener('abort', end)
    request.send(file)
  })
}

// messageOf returns what a response of the REST API says of an error.
function messageOf(body: string): string | undefined {
  try {
    const { error } = JSON.parse(body) as { error?: { message: string } }
    return error && readable(error.message)
  } catch {
    return undefined // of a proxy
  }
}
