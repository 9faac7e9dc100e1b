/** An event as it is delivered. It may come more than once: `id` says which one it is. */
export interface WebhookEvent {
  id: string
  type: string
  created_at: string
  data: Record<string, unknown>
}

/** The headers of a request: Fetch's, or Node's, whose names are in lower case. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  /** How far the timestamp may be from now, in seconds: 300 by default. */
  tolerance?: number
  /** The time, in milliseconds: now by default. */
  now?: number
}

/** Why a request isn't taken for the service's: respond to it with 401. */
export class WebhookError extends Error {
  override name = 'WebhookError'
}

/** How many signatures of a request are looked at; the service sends four at most. */
const mostSignatures = 10

/**
 * verify returns the event of a webhook's request if its signature holds, by the Standard
 * Webhooks, and throws a WebhookError otherwise. The body must be the bytes as they came.
 * Of several secrets any may have signed.
 */
export async function verify(
  body: string | ArrayBuffer | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => header(headers, name))
  if (!id || !timestamp || !signature) throw new WebhookError('webhook-id, webhook-timestamp or webhook-signature is missing')
  const { tolerance = 300, now = Date.now() } = options
  if (!/^\d{1,15}$/.test(timestamp)) throw new WebhookError('webhook-timestamp must be a Unix time')
  if (Math.abs(now / 1000 - Number(timestamp)) > tolerance) {
    throw new WebhookError(`webhook-timestamp must be within ${tolerance} seconds of now`)
  }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body)
  const prefix = new TextEncoder().encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(prefix.length + bytes.length)
  signed.set(prefix)
  signed.set(bytes, prefix.length)
  const signatures = signature.split(' ').slice(0, mostSignatures)
  for (const each of typeof secret === 'string' ? [secret] : secret) {
    const key = await crypto.subtle.importKey('raw', keyOf(each), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
    for (const one of signatures) {
      const mac = one.startsWith('v1,') ? decode(one.slice(3)) : undefined
      // Web Crypto compares in constant time.
      if (mac && (await crypto.subtle.verify('HMAC', key, mac, signed))) return JSON.parse(new TextDecoder().decode(bytes))
    }
  }
  throw new WebhookError('no signature of webhook-signature is of this secret')
}

function header(headers: WebhookHeaders, name: string): string | undefined {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  return typeof value === 'string' ? value : undefined
}

/** keyOf returns the key of a secret: what follows whsec_ in base64, or else the text itself. */
function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  if (!secret.startsWith('whsec_')) return new TextEncoder().encode(secret)
  const key = decode(secret.slice('whsec_'.length))
  if (!key || key.length === 0) throw new TypeError('the secret must be base64 after whsec_')
  return key
}

function decode(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}
