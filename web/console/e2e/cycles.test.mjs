// Tier: full
import assert from 'node:assert/strict'
import test from 'node:test'
import { accessible, fits, open, prepare, until } from './harness.mjs'

const service = prepare()
await service.start(20_000)
const mission = await service.mission('Run for days', { constraints: { require_approval: false, posts_per_day: 3 }, duration_days: 30 })
await until('posts of two days', async () => (await service.posts(`mission_id=${mission.id}&status=published`)).length > 5)
await service.stop()
await service.start(1)

const row = (page, n) => page.getByRole('row').filter({ has: page.getByRole('button', { name: `Cycle ${n}`, exact: true }) })

test('cycles are compared: how many posts came how far, what they cost, and how long each stage took', async (t) => {
  const page = await open(t, service, `/missions/${mission.id}/cycles`)
  const first = row(page, 1)
  const cells = first.getByRole('cell')
  assert.deepEqual((await cells.allTextContents()).slice(1, 7), ['Done', '3', '3', '3', '0', 'US$0.00'])
  assert.match(await cells.nth(7).textContent(), /^\d+ (d|h)/)
  assert.equal(await first.locator('svg.lanes rect').count(), 6, 'a bar a stage')
  // Bars are to scale: a stage begins where the one before ended, and none reaches beyond its row.
  const bars = await first
    .locator('svg.lanes rect')
    .evaluateAll((all) => all.map((r) => [r.x.baseVal.value, r.x.baseVal.value + r.width.baseVal.value]))
  for (const [n, [from, to]] of bars.entries()) {
    assert.ok(from >= 0 && to <= 100.01, `${from} to ${to}`)
    if (n > 0) assert.ok(from >= bars[n - 1][0], 'in order')
  }
  await accessible(page, 'the cycles')
  const button = first.getByRole('button', { name: 'Cycle 1', exact: true })
  await button.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Why' }).waitFor()
  await page.getByRole('heading', { name: '3 slots' }).waitFor()
  await page
    .locator('.timeline li')
    .filter({ hasText: 'Publish' })
    .getByText(/^\d\d:\d\d to \d\d:\d\d, .+/)
    .waitFor()
  await accessible(page, 'a cycle')
  for (const width of [1440, 1024, 720, 390]) await fits(page, 'a cycle', width)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Why' }).waitFor({ state: 'detached' })
})

// fail has a page see the newest cycle fail, whatever it reads of it.
const fail = async (page) => {
  const newest = (await service.rest('GET', `/missions/${mission.id}`)).pipeline_job_id
  const failed = (value) => {
    if (value === null || typeof value !== 'object') return
    if (value.id === newest && 'status' in value) value.status = 'FAILED'
    if (value.id === newest && value.stages)
      Object.assign(value.stages[2], { status: 'FAILED', error: { message: 'The writer doesn’t respond.' }, attempts: 5 })
    Object.values(value).forEach(failed)
  }
  await page.route('**/graphql', async (route) => {
    if (route.request().postDataJSON()?.operationName === 'actionsRetryMutation')
      return route.fulfill({ json: { data: { retryMission: { mission: { id: mission.id, job: null } } } } })
    const response = await route.fetch()
    const body = await response.json()
    failed(body)
    return route.fulfill({ response, json: body })
  })
}

test('the cycle that failed is retried from its row, by those who may', async (t) => {
  for (const role of ['editor', 'viewer']) {
    const page = await open(t, service, '/missions', { as: { email: `${role}@example.com`, role } })
    await fail(page)
    await page.goto(`${service.url}/console/missions/${mission.id}/cycles`)
    const button = page.getByRole('button', { name: /^Cycle \d+$/ }).first()
    await page.getByRole('row').nth(1).getByText('Failed', { exact: true }).first().waitFor()
    await button.click()
    await page.getByText('The writer doesn’t respond.').waitFor()
    const retry = page.getByRole('button', { name: 'Retry' })
    if (role === 'viewer') {
      assert.equal(await retry.count(), 0)
      continue
    }
    const sent = page.waitForRequest((r) => r.postDataJSON()?.operationName === 'actionsRetryMutation')
    await retry.click()
    assert.equal((await sent).postDataJSON().variables.id, mission.id)
    await page.getByText('The failed stage runs again.').waitFor()
  }
})
