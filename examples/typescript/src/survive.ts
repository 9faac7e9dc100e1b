// Follows the events of a mission to its end, through whatever becomes of the
// server, and prints their ids as JSON. What it sees on the way is said on
// standard error.
// Usage: survive MISSION-ID

import type { Client } from './client.js'
import { run } from './program.js'

async function survive(client: Client): Promise<void> {
  const missionId = process.argv[2]
  if (!missionId) throw new Error('Name a mission by its id.')
  const ids: string[] = []
  for await (const event of client.events(missionId)) {
    ids.push(event.id)
    console.error(`event: ${event.id} ${event.type}`)
    if (event.type === 'MISSION_COMPLETED') break
  }
  console.log(JSON.stringify(ids))
}

await run(survive, (why) => console.error(`lost: ${why}`))
