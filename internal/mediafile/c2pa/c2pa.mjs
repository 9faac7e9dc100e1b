// Signs a file with a C2PA manifest, or verifies the one that it has. The
// arguments are files:
//   sign IN OUT MANIFEST CHAIN KEY: MANIFEST is a manifest's definition, CHAIN and KEY are PEM
//   read IN ANCHORS: prints {state, failures} as JSON, or null if there is no manifest
import { readFileSync } from 'node:fs'
import { Builder, LocalSigner, Reader } from '@contentauth/c2pa-node'

const [verb, path, ...rest] = process.argv.slice(2)
if (verb === 'sign') {
  const [out, manifest, chain, key] = rest
  const signer = LocalSigner.newSigner(readFileSync(chain), readFileSync(key), 'es256')
  Builder.withJson(JSON.parse(readFileSync(manifest, 'utf8'))).sign(signer, { path }, { path: out })
} else {
  const trust = { trust_anchors: readFileSync(rest[0], 'utf8') }
  const store = (await Reader.fromAsset({ path }, { trust, verify: { verify_trust: true } }))?.json()
  const failures = store?.validation_results?.activeManifest?.failure ?? []
  console.log(JSON.stringify(store ? { state: store.validation_state, failures: failures.map((f) => f.code) } : null))
}
