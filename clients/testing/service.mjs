// A development run of missiond for the clients' tests, and servers that stand between.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after } from 'node:test'

// patience is how long is waited for what has to come, in milliseconds: longer where the machine is busy.
export const patience = 30_000 * Number(process.env.MISSIOND_TEST_PATIENCE ?? 1)

// until waits for a condition, for as long as patience lasts.
export async function until(what, condition) {
  const deadline = Date.now() + patience
  for (;;) {
    const value = await condition()
    if (value) return value
    assert.ok(Date.now() < deadline, `waited in vain: ${what}`)
    await new Promise((done) => setTimeout(done, 50))
  }
}

// Service is a development run of missiond: MISSIOND_BINARY says of which program.
class Service {
  folder = mkdtempSync(path.join(tmpdir(), 'clients-'))

  async start(speed) {
    const address = this.url ? new URL(this.url).host : '127.0.0.1:0'
    const args = ['dev', '--addr', address, '--data-dir', this.folder, '--clock-speed', String(speed), '--log-level', 'error']
    this.process = spawn(process.env.MISSIOND_BINARY, args, { stdio: ['ignore', 'ignore', 'inherit'] })
    const file = path.join(this.folder, 'dev.env')
    const env = await until('its address and key', () => {
      assert.equal(this.process.exitCode, null, 'missiond ended')
      return existsSync(file) && /MISSIOND_URL=(\S+)\nMISSIOND_API_KEY=(\S+)\n/.exec(readFileSync(file, 'utf8'))
    })
    this.url = env[1]
    this.key = env[2]
    this.env = { ...process.env, MISSIOND_URL: this.url, MISSIOND_API_KEY: this.key }
    await until('the service', () => {
      assert.equal(this.process.exitCode, null, 'missiond ended')
      return fetch(`${this.url}/readyz`).then(
        (response) => response.ok,
        () => false,
      )
    })
  }

  async stop(signal = 'SIGTERM') {
    if (!this.process || this.process.exitCode !== null || this.process.signalCode !== null) return
    const gone = once(this.process, 'exit')
    this.process.kill(signal)
    await gone
  }
}

// serve starts a service for the tests of a file; speed is its clock's.
export async function serve(speed = 60) {
  const service = new Service()
  after(async () => {
    await service.stop()
    rmSync(service.folder, { recursive: true, force: true })
  })
  await service.start(speed)
  return service
}

// listen starts a server on a free port of this machine, for the tests of a file, and returns its address.
export async function listen(handler) {
  const server = createServer(handler)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${server.address().port}`
}

// bodyOf returns the bytes of a request.
export async function bodyOf(request) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

// firstExample returns the lines of the first fenced block of a document.
export function firstExample(file) {
  const [, language, text] = /^```(\w+)[^\n]*\n([\s\S]*?)^```$/m.exec(readFileSync(file, 'utf8'))
  return { language, text }
}
