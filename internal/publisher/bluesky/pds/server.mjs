// Starts the reference PDS on the port PDS_PORT of this machine, with one account,
// and prints {url, handle, did, password} as a line of JSON; password is an app
// password. Where PDS_POSTGRES names an empty database, there is the network's
// index (an AppView) behind it too. It ends when its input does.
import net from 'node:net'
import { TestBsky, TestBsync, TestPds, TestPlc, mockNetworkUtilities } from '@atproto/dev-env'

// These servers would listen to the whole network.
const listen = net.Server.prototype.listen
net.Server.prototype.listen = function (at, ...rest) {
  const options = typeof at === 'object' ? at : { port: at }
  return listen.call(this, { ...options, host: 'localhost' }, ...rest.filter((f) => typeof f === 'function'))
}

process.stdin.resume().on('end', () => process.exit())

const plc = await TestPlc.create({})
const port = Number(process.env.PDS_PORT)
const postgres = process.env.PDS_POSTGRES
let index
if (postgres) {
  const key = 'bsync'
  const bsync = await TestBsync.create({ apiKeys: [key], dbUrl: postgres, dbSchema: 'bsync' })
  index = await TestBsky.create({
    plcUrl: plc.url,
    bsyncUrl: bsync.url,
    bsyncApiKey: key,
    repoProvider: `ws://localhost:${port}`,
    dbPostgresUrl: postgres,
    dbPostgresSchema: 'appview',
  })
}
const pds = await TestPds.create({
  port,
  didPlcUrl: plc.url,
  // As Bluesky's own servers do.
  enableDidDocWithSession: true,
  rateLimitsEnabled: true,
  ...(index && { bskyAppViewUrl: index.url, bskyAppViewDid: index.ctx.cfg.serverDid }),
})
mockNetworkUtilities(pds, index)

const agent = pds.getAgent()
const handle = 'ada.test'
await agent.createAccount({ handle, email: 'ada@example.com', password: 'not for apps' })
const made = await agent.com.atproto.server.createAppPassword({ name: 'missiond' })
console.log(JSON.stringify({ url: pds.url, handle, did: agent.session.did, password: made.data.password }))
