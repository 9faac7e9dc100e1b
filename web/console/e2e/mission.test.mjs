import assert from 'node:assert/strict'
import test from 'node:test'
import { open, serve, until } from './harness.mjs'

const service = await serve()

test('a mission is paused and resumed by key', async (t) => {
  const mission = await service.mission('Paused', { kpis: [{ metric: 'likes', target: 100 }] })
  const page = await open(t, service, `/missions/${mission.id}`)
  await page.getByText('Active', { exact: true }).waitFor()
  await page.keyboard.press('p')
  await page.getByText('Paused', { exact: true }).first().waitFor()
  assert.equal((await service.rest('GET', `/missions/${mission.id}`)).status, 'paused')
  await page.keyboard.press('p')
  await page.getByText(/Resumed. It now ends/).waitFor()
  assert.equal((await service.rest('GET', `/missions/${mission.id}`)).status, 'active')
})

test('a mission is completed, duplicated and deleted', async (t) => {
  const mission = await service.mission('Ended early')
  const page = await open(t, service, `/missions/${mission.id}`)
  const choose = async (name) => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await choose('Complete now')
  await page.getByRole('button', { name: 'Complete it' }).click()
  await page.getByText('Completed', { exact: true }).first().waitFor()
  await choose('Duplicate')
  await until('the draft', async () => !page.url().includes(mission.id))
  await page.getByText('Draft', { exact: true }).first().waitFor()
  await choose('Delete')
  await page.getByRole('button', { name: 'Delete it' }).click()
  await until('the list', async () => page.url().endsWith('/missions'))
})

test('what happens is shown without a reload', async (t) => {
  const mission = await service.mission('Live')
  const page = await open(t, service, `/missions/${mission.id}/posts`)
  await service.written(mission, 4)
  const cards = page.locator('.cards > li')
  await until('four cards', async () => (await cards.count()) === 4)
  const [post] = await service.posts(`mission_id=${mission.id}`)
  await service.rest('POST', `/content/${post.id}/reject`, { reason: 'Said by the API' })
  await page.getByText('Said by the API').waitFor()
})

test('a mission that doesn’t exist says so', async (t) => {
  const page = await open(t, service, '/inbox')
  await page.goto(`${service.url}/console/missions/msn_01jd0000000000000000000000`)
  await page.getByText('There is no such mission').waitFor()
})
