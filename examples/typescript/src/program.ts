// What both programs have in common: where the API is, how long they may take,
// and how an error is said.

import { existsSync } from 'node:fs'
import { Client, Refusal, type Options } from './client.js'

/** Where missiond dev, started in the top folder, says where it is. */
const devEnv = new URL('../../../.missiond/dev.env', import.meta.url).pathname

/**
 * Runs a program against the API that MISSIOND_URL and MISSIOND_API_KEY name, by
 * default missiond dev's, for MISSIOND_PATIENCE seconds at most (120). An error
 * is printed; the exit code is then 1.
 */
export async function run(program: (client: Client) => Promise<void>, onLost: Options['onLost']): Promise<void> {
  let client: Client | undefined
  let limit: NodeJS.Timeout | undefined
  try {
    if (!process.env.MISSIOND_URL && existsSync(devEnv)) process.loadEnvFile(devEnv)
    const { MISSIOND_URL: url, MISSIOND_API_KEY: key } = process.env
    if (!url || !key) throw new Error('Set MISSIOND_URL and MISSIOND_API_KEY, or start missiond dev in the top folder.')
    client = new Client({ url, key, onLost })
    const patience = Number(process.env.MISSIOND_PATIENCE ?? 120)
    limit = setTimeout(() => client?.close(new Error(`Not done after ${patience} seconds.`)), patience * 1000)
    await program(client)
  } catch (error) {
    console.error(explain(error))
    process.exitCode = 1
  } finally {
    clearTimeout(limit)
    client?.close()
  }
}

/** Says an error to a person. */
function explain(error: unknown): string {
  if (error instanceof Refusal) {
    const input = error.param ? ` (${error.param})` : ''
    const request = error.requestId ? ` [${error.requestId}]` : ''
    return `${error.code}${input}: ${error.message}${request}`
  }
  if (error instanceof Error && Object(error.cause).code === 'ECONNREFUSED') {
    return `Nothing listens at ${process.env.MISSIOND_URL}: start missiond dev in the top folder, or set MISSIOND_URL and MISSIOND_API_KEY.`
  }
  if (error instanceof Error) return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
  return String(error)
}
