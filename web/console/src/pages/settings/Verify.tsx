// The code of docs/webhooks.md, which a test runs.
const code = `import { createHmac, timingSafeEqual } from 'node:crypto'

// verified reports whether a request is ours: body is its bytes as they
// came, headers have their names in lower case, secret is the endpoint's.
export function verified(body, headers, secret) {
  const timestamp = headers['x-svc-timestamp']
  if (!(Math.abs(Date.now() / 1000 - timestamp) < 300)) return false
  const mac = createHmac('sha256', secret).update(timestamp + '.').update(body)
  const want = Buffer.from('sha256=' + mac.digest('hex'))
  const got = Buffer.from(headers['x-svc-signature'] ?? '')
  return got.length === want.length && timingSafeEqual(got, want)
}`

// Verify shows how a receiver verifies signatures.
export default function Verify() {
  return (
    <div className="attempts">
      <p>In Node.js; the libraries of Standard Webhooks do the same in other languages.</p>
      <pre tabIndex={0} role="region" aria-label="Code">
        {code}
      </pre>
    </div>
  )
}
