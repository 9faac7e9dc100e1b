import { createHmac, timingSafeEqual } from 'node:crypto'

/** How far the timestamp of a webhook may be from now, in seconds. */
const tolerance = 300
/** How many signatures of a request are looked at; the service sends four at most. */
const mostSignatures = 10

/**
 * verified reports whether a webhook's request has a signature of the secret, by the Standard
 * Webhooks. The body must be the bytes as they came.
 */
export function verified(body: Buffer, headers: Record<string, unknown>, secret: string, now = Date.now()): boolean {
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headers[name])
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signature !== 'string') return false
  if (!secret.startsWith('whsec_') || !/^\d{1,15}$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > tolerance) return false
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const want = Buffer.from('v1,' + createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64'))
  return signature
    .split(' ')
    .slice(0, mostSignatures)
    .map((one) => Buffer.from(one))
    .some((got) => got.length === want.length && timingSafeEqual(got, want))
}
