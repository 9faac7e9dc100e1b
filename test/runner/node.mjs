// Runs test files of Node, and the files that failed once more, each alone; with Node's own report, then FLAKY lines.
// A file passes the second time only if each test that failed is seen to pass. More than five failed files fail the run
// at once, and so does a file that failed otherwise than by its tests: it didn't load, its process ended early (by exit(0)
// too), or it has no test.
// What the files of a part take is written to bin/test/times/PART.json.
// Usage: node test/runner/node.mjs [--part=PART] [--concurrency=N] FILE…
import path from 'node:path'
import process from 'node:process'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

import { meter } from './meter.mjs'

const mostFailures = 5
const args = process.argv.slice(2)
const flag = (name) => args.find((a) => a.startsWith(`--${name}=`))?.split('=')[1]
const concurrency = Number(flag('concurrency') ?? 1)
const measured = meter(flag('part'))
const names = args.filter((a) => !a.startsWith('--'))
const failedExit = 86
// A test file's process that exits has failed, whatever it says of itself; programs that it starts may exit as they like.
const options = process.env.NODE_OPTIONS ?? ''
const preload = `process.env.NODE_OPTIONS = ${JSON.stringify(options)}
const exit = process.exit
process.exit = (code) => exit(code || ${failedExit})`
process.env.NODE_OPTIONS = `${options} --import=data:text/javascript,${encodeURIComponent(preload)}`
const totals = { passed: 0, failed: 0, skipped: 0 }

// outcome runs a file, and returns its report and what has become of it: the root tests that passed and failed, what failed
// ones said, and whether it failed itself.
async function outcome(file) {
  const f = { file, passed: [], failed: [], skipped: 0, told: [], itself: false, report: '' }
  measured.begin(file, path.relative('', file))
  const stream = run({ files: [file] })
  stream.on('test:pass', (e) => {
    if (e.nesting > 0 || path.resolve(e.name) === file) return
    measured.test(file, e.name, e.details.duration_ms)
    if (e.skip === undefined && e.todo === undefined) f.passed.push(e.name)
    else f.skipped++
  })
  stream.on('test:fail', (e) => {
    const { error } = e.details
    if (error?.failureType !== 'subtestsFailed') f.told.push(`${e.name}: ${error?.cause?.stack ?? error?.message}`)
    if (path.resolve(e.name) === file) f.itself = true
    else if (e.nesting === 0) f.failed.push(e.name)
  })
  for await (const text of stream.compose(new spec())) f.report += text
  measured.end(file)
  f.itself ||= f.passed.length + f.failed.length + f.skipped === 0
  return f
}

// outcomes runs files, some at once.
async function outcomes(files, concurrency) {
  const all = []
  const left = files.values()
  const worker = async () => {
    for (const file of left) {
      const f = await outcome(file)
      console.log(`${path.relative('', file)}\n${f.report}`)
      all.push(f)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return all
}

if (names.length === 0) throw new Error('usage: node test/runner/node.mjs [--part=PART] [--concurrency=N] FILE…')
const first = await outcomes(
  names.map((f) => path.resolve(f)),
  concurrency,
)
measured.write()
const bad = first.filter((f) => f.itself || f.failed.length > 0)
const hopeless = bad.length > mostFailures || bad.some((f) => f.itself)
for (const f of first) {
  totals.passed += f.passed.length
  totals.skipped += f.skipped
}
const said = []
let flaky = 0
for (const f of bad) {
  const name = path.relative('', f.file)
  let why = f.itself ? 'it failed otherwise than by a test' : `${f.failed.length} of its tests failed`
  if (!hopeless) {
    console.log(`=== ${name} failed, and is tried again alone`)
    const [again] = await outcomes([f.file], 1)
    if (!again.itself && again.failed.length === 0 && f.failed.every((test) => again.passed.includes(test))) why = ''
    else why += ', and not all were seen to pass when it was tried again'
  }
  if (why) {
    totals.failed += Math.max(f.failed.length, 1)
    said.push(`FAIL\t${name}: ${why}`)
    continue
  }
  flaky += f.failed.length
  totals.passed += f.failed.length
  const told = f.told.join('\n').split('\n').slice(0, 30)
  said.push(
    ...f.failed.map((test) => `FLAKY ${name}: ${test}: it failed, and passed when its file was tried again. At first:`),
    ...told.map((line) => `\t${line}`),
  )
}
for (const line of said) console.log(line)
console.log(`${flaky} tests were FLAKY`)
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`)
process.exitCode = totals.failed > 0 ? 1 : 0
