// Measures what test files take, as meter.go does for packages: their CPU from /proc, where there is one.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'

const period = 500
const folder = new URL('../../bin/test/times/', import.meta.url)

// processes reads the table of processes: the ids below each, and the seconds of CPU of each (proc(5)).
function processes() {
  const below = new Map()
  const cpu = new Map()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    let text
    try {
      text = readFileSync(`/proc/${name}/stat`, 'utf8')
    } catch {
      continue // it has ended
    }
    const after = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const parent = Number(after[1])
    below.set(parent, [...(below.get(parent) ?? []), Number(name)])
    const ticks = after.slice(11, 15).reduce((sum, n) => sum + Number(n), 0)
    cpu.set(Number(name), ticks / 100)
  }
  const tree = (id) => {
    const all = new Set([id]) // a set, since the table isn't of one instant
    for (const one of all) for (const child of below.get(one) ?? []) all.add(child)
    return [...all].reduce((sum, one) => sum + (cpu.get(one) ?? 0), 0)
  }
  return { below, tree }
}

// meter measures files of a part until it is written.
export function meter(part) {
  const began = new Date()
  const files = new Map() // by path
  const seen = new Map() // by process
  const look = () => {
    const { below, tree } = processes()
    for (const id of below.get(process.pid) ?? []) {
      let command
      try {
        command = readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0')
      } catch {
        continue
      }
      const file = command.map((arg) => files.get(arg)).find(Boolean)
      if (!file) continue
      const total = tree(id)
      file.cpu += Math.max(0, total - (seen.get(id) ?? 0))
      seen.set(id, Math.max(total, seen.get(id) ?? 0))
    }
  }
  const timer = part && existsSync('/proc/self/stat') ? setInterval(look, period) : undefined
  return {
    begin(path, name) {
      files.set(path, { name, wall: 0, cpu: 0, tests: [], start: performance.now() })
    },
    test(path, name, milliseconds) {
      files.get(path).tests.push({ name, wall: milliseconds / 1000, cpu: 0 })
    },
    end(path) {
      const file = files.get(path)
      file.wall = (performance.now() - file.start) / 1000
    },
    write() {
      clearInterval(timer)
      if (!part) return
      const to = new URL(`${part}.json`, folder)
      mkdirSync(new URL('.', to), { recursive: true })
      const packages = [...files.values()].map(({ start, ...file }) => file)
      writeFileSync(to, JSON.stringify({ name: part, began, build: 0, packages }, null, '\t') + '\n')
    },
  }
}
