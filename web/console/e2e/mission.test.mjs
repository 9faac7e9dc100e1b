import assert from 'node:assert/strict'
import test from 'node:test'
import { accessible, open, serve, until } from './harness.mjs'

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

test('a brief is edited: what was changed alone is sent, and problems are at their fields', async (t) => {
  const mission = await service.mission('To be edited', { kpis: [{ metric: 'likes', target: 100 }] })
  const page = await open(t, service, `/missions/${mission.id}/brief`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit the brief' })
  await accessible(page, 'the brief’s form')
  await dialog.getByRole('textbox', { name: 'Posts a day' }).fill('51')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Posts a day must be a whole number between 1 and 50.').waitFor()
  await dialog.getByRole('textbox', { name: 'Posts a day' }).fill('3')
  await dialog.getByRole('textbox', { name: 'Target' }).fill('250')
  // Somebody else changes the name meanwhile.
  await service.rest('PUT', `/missions/${mission.id}`, { name: 'Renamed meanwhile' })
  const sent = page.waitForRequest((r) => r.postDataJSON()?.operationName === 'EditMutation')
  await dialog.getByRole('button', { name: 'Save' }).click()
  assert.deepEqual((await sent).postDataJSON().variables.input, { constraints: { postsPerDay: 3 }, kpis: [{ metric: 'LIKES', target: 250, platform: null }] })
  await page.getByText('Every day, 3 posts a day').first().waitFor()
  const now = await service.rest('GET', `/missions/${mission.id}`)
  assert.deepEqual([now.name, now.constraints.posts_per_day, now.kpis[0].target], ['Renamed meanwhile', 3, 250])
})
