// Tier: full
import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { accessible, fits, open, serve, settled, shown, until } from './harness.mjs'
import { Service } from './service.mjs'

const service = await serve()
const aged = new Service() // it outlives its page, which would report that it is gone
after(() => aged.remove())

test('a mission is paused and resumed by key', async (t) => {
  const mission = await service.mission('Paused', { kpis: [{ metric: 'likes', target: 100 }] })
  const page = await open(t, service, `/missions/${mission.id}`)
  await page.getByText('Active', { exact: true }).waitFor()
  await page.keyboard.press('p')
  await shown(page, 'Paused', { exact: true })
  assert.equal((await service.rest('GET', `/missions/${mission.id}`)).status, 'paused')
  await page.keyboard.press('p')
  await page.getByText(/Resumed. It now ends/).waitFor()
  assert.equal((await service.rest('GET', `/missions/${mission.id}`)).status, 'active')
})

test('everything is put on hold, and released', async (t) => {
  const mission = await service.mission('On hold')
  const page = await open(t, service, '/')
  await page.getByRole('button', { name: 'Hold everything …' }).click()
  await page.getByRole('heading', { name: 'Hold everything?' }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('pause all')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Hold everything', exact: true }).click()
  await page.getByText('A text is required.').waitFor()
  await page.getByLabel('Reason').fill('An accident at the venue')
  await page.keyboard.press('Control+Enter')
  const notice = page.getByText(/on hold since .*An accident at the venue/)
  await notice.waitFor()
  await accessible(page)
  await fits(page, 'the notice', 360)
  await until('the mission is paused', async () => (await service.rest('GET', `/missions/${mission.id}`)).status === 'paused')
  await page.getByRole('button', { name: 'Release' }).click()
  await notice.waitFor({ state: 'detached' })
  await until('the mission goes on', async () => (await service.rest('GET', `/missions/${mission.id}`)).status === 'active')
})

test('what a hold has paused is resumed by the release alone', async (t) => {
  const mission = await service.mission('Held')
  await service.rest('POST', '/tenant/hold', { reason: 'A storm' })
  t.after(() => service.rest('DELETE', '/tenant/hold').catch(() => {})) // there is none any more, unless the test has failed
  const page = await open(t, service, `/missions/${mission.id}`)
  await shown(page, 'Paused', { exact: true })
  await page.getByText(/on hold since .*A storm/).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Resume' }).count(), 0)
  await page.getByRole('button', { name: 'Release' }).click()
  await page.getByText('Active', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Pause' }).waitFor()
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
  await shown(page, 'Completed', { exact: true })
  await choose('Duplicate')
  await until('the draft', async () => !page.url().includes(mission.id))
  await shown(page, 'Draft', { exact: true })
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

test('a page says once which zone its times are in', async (t) => {
  const mission = await service.mission('In New York', { constraints: { timezone: 'America/New_York' } })
  const [post] = await service.written(mission, 1)
  const page = await open(t, service, '/inbox')
  for (const [path, zone] of [
    [`/missions/${mission.id}`, 'America/New_York'],
    [`/missions/${mission.id}/posts`, 'America/New_York'],
    [`/missions/${mission.id}/cycles`, 'America/New_York'],
    ['/activity', 'Europe/Berlin'],
    ['/settings/sessions', 'Europe/Berlin'],
  ]) {
    await page.goto(`${service.url}/console${path}`)
    await settled(page)
    await page.getByText(`Times in ${zone}`).waitFor()
    assert.equal(await page.getByText(/Times in /).count(), 1, path)
  }
  await page.goto(`${service.url}/console/inbox/${post.id}`)
  await page.getByText(/goes out .*Europe\/Berlin/).waitFor()
  // A day that is chosen begins in the zone that is shown.
  await page.evaluate(() => localStorage.setItem('zone', 'Asia/Tokyo'))
  const asked = page.waitForRequest((r) => /AuditQuery/.test(r.postData() ?? ''))
  await page.goto(`${service.url}/console/settings/audit?from=2026-11-20`)
  assert.equal((await asked).postDataJSON().variables.filter.createdFrom, '2026-11-19T15:00:00.000Z')
})

test('a mission that doesn’t exist says so', async (t) => {
  const page = await open(t, service, '/inbox')
  await page.goto(`${service.url}/console/missions/msn_01jd0000000000000000000000`)
  await page.getByText('Mission not found').waitFor()
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
  await page.locator('[popover]', { hasText: 'Renamed meanwhile' }).waitFor({ state: 'attached' }) // the bell's
  await shown(page, 'Renamed meanwhile')
  assert.equal(await dialog.getByRole('textbox', { name: 'Name' }).inputValue(), 'Renamed meanwhile')
  const sent = page.waitForRequest((r) => r.postDataJSON()?.operationName === 'EditMutation')
  await dialog.getByRole('button', { name: 'Save' }).click()
  assert.deepEqual((await sent).postDataJSON().variables.input, {
    constraints: { postsPerDay: 3 },
    kpis: [{ metric: 'LIKES', target: 250, platform: null }],
  })
  await shown(page, 'Every day, 3 posts a day')
  const now = await service.rest('GET', `/missions/${mission.id}`)
  assert.deepEqual([now.name, now.constraints.posts_per_day, now.kpis[0].target], ['Renamed meanwhile', 3, 250])
})

test('a target’s course agrees with the API and grows without a reload; what was learned is a chart with a table', async (t) => {
  await aged.start(8640) // a day takes ten seconds
  const mission = await aged.mission('Measured', {
    kpis: [{ metric: 'impressions', target: 1_000_000_000 }],
    constraints: { require_approval: false, budget_cents: 5000 },
    duration_days: 300,
  })
  const ask = async () => {
    const query = `query($id: ID!) { mission(id: $id) { kpiProgress { current } kpiHistory(metric: IMPRESSIONS) { value } jobs(first: 1) { totalCount } learning { learnedAt } } }`
    const response = await fetch(`${aged.url}/graphql`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${aged.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query, variables: { id: mission.id } }),
    })
    return (await response.json()).data.mission
  }
  await until('a measurement', async () => (await ask()).kpiProgress[0].current > 0)
  for (const n of [2, 3]) await until(`cycle ${n}`, async () => (await ask()).jobs.totalCount >= n)
  await until('learning', async () => (await ask()).learning)
  await aged.stop()
  await aged.start(3600) // the page can follow this, and it is measured within seconds
  const page = await open(t, aged, `/missions/${mission.id}`)
  await page.getByRole('meter', { name: 'Budget' }).waitFor()
  await page
    .getByRole('figure')
    .filter({ has: page.getByRole('img', { name: /^Impressions/ }) })
    .getByText('Table')
    .click()
  const rows = page.getByRole('region', { name: 'Impressions: table' }).getByRole('row')
  const meter = page.getByRole('meter', { name: 'Impressions' })
  const written = (v) =>
    v == null
      ? '–'
      : new Intl.NumberFormat(
          'en-GB',
          v >= 10_000 ? { notation: 'compact', maximumFractionDigits: 1 } : { maximumFractionDigits: v >= 10 ? 0 : 2 },
        ).format(v)
  const agree = () =>
    until('the same figures as the API', async () => {
      const {
        kpiProgress: [{ current }],
        kpiHistory,
      } = await ask()
      const days = kpiHistory.map((d) => d.value)
      const cells = await rows.evaluateAll((all) => all.slice(1).map((r) => r.cells[1].textContent))
      const head = await meter.getAttribute('aria-valuetext')
      return (
        days.findLast((v) => v !== null) === current &&
        head.startsWith(`${written(current)} of `) &&
        cells.join() === days.map(written).join() &&
        current
      )
    })
  const first = await agree()
  await until('more impressions', async () => (await ask()).kpiProgress[0].current > first)
  assert.ok((await agree()) > first)

  const legend = page
    .getByRole('figure')
    .filter({ has: page.getByRole('img', { name: /^Impressions/ }) })
    .getByRole('list', { name: 'Legend' })
  assert.deepEqual(
    (await legend.getByRole('listitem').allInnerTexts()).map((n) => n.replace(/: .*/, '')),
    ['Impressions', 'Target', 'Needed by each day'],
  )
  const dashes = await legend.locator('line').evaluateAll((all) => all.map((l) => getComputedStyle(l).strokeDasharray))
  assert.equal(new Set(dashes).size, 3, `the lines differ by more than their colour: ${dashes.join(' | ')}`)

  await page.getByText('Show the evidence').click()
  const chart = page.getByRole('img', { name: /^Time of day: against the average/ })
  await chart.focus()
  await page.getByRole('figure').filter({ has: chart }).getByText('Table').click()
  assert.equal(await page.getByRole('region', { name: 'Time of day: against the average: table' }).getByRole('row').count(), 9)
  await page
    .getByRole('figure')
    .filter({ has: chart })
    .getByRole('list', { name: 'Legend' })
    .getByText(/^\d+ % range/)
    .waitFor()
  await page.getByRole('combobox', { name: 'Metric' }).selectOption('LIKES')
  await page.getByRole('heading', { name: 'Platform: likes of a post' }).waitFor()
  await accessible(page, 'a measured mission')

  await page.goto(`${aged.url}/console/analytics`)
  await page.getByRole('region', { name: 'Figures by platform' }).waitFor()
  const compare = (name) => page.getByRole('group', { name: 'Compare' }).getByRole('button', { name }).click()
  await page.getByRole('columnheader', { name: 'Published (Europe/Berlin)' }).waitFor()
  await page.getByText('Days in UTC').waitFor()
  await compare('Missions')
  const named = page.getByRole('region', { name: 'Figures by mission' })
  await named.getByRole('link').first().waitFor()
  assert.equal(await named.getByRole('link').first().getAttribute('href'), `/console/missions/${mission.id}`)
  await accessible(page, 'figures by mission')
  await compare('Accounts')
  await page
    .getByRole('region', { name: 'Figures by account' })
    .getByText(/sandbox/)
    .first()
    .waitFor()
  assert.match(page.url(), /by=account/)
  await fits(page, 'analytics with figures', 390)
  await page.goto(`${aged.url}/console/missions/${mission.id}`)
  await page.getByRole('heading', { name: 'What was learned' }).waitFor()
  const claims = page.getByRole('list', { name: 'What works so far' }).getByRole('listitem')
  await until('one to three lines', async () => [1, 2, 3].includes(await claims.count()))
  assert.match(await claims.first().textContent(), /% (more|less) .* than the average\. (Solid|Promising|Too early to say), \d+ posts?\./)
  const evidence = page.getByRole('img', { name: /against the average/ }).first()
  assert.equal(await evidence.isVisible(), false)
  await fits(page, 'a measured mission', 390)
  await page.getByText('Show the evidence').click()
  await evidence.waitFor()
  await fits(page, 'a measured mission with its evidence', 390)
})

test('a person has the best posts repeated', async (t) => {
  const mission = await service.mission('Evergreen', { constraints: { posts_per_day: 1, evergreen: { cooldown_days: 45, share: 5 } } })
  const page = await open(t, service, `/missions/${mission.id}`)
  const evergreen = async () => (await service.rest('GET', `/missions/${mission.id}`)).constraints.evergreen
  const choice = page.getByRole('combobox', { name: 'Repeat the best posts' })
  assert.equal(await choice.inputValue(), '45')
  await choice.selectOption('after 90 days')
  await until('the cooldown', async () => (await evergreen())?.cooldown_days === 90)
  assert.deepEqual(await evergreen(), { cooldown_days: 90, share: 5, rewrite: 'where_refused' })
  await accessible(page, 'how posts are repeated')
  const viewer = await open(t, service, `/missions/${mission.id}`, { as: { email: 'viewer@example.com', role: 'viewer' } })
  await viewer.getByText('The best posts are repeated after 90 days.').waitFor()
  await choice.selectOption('never')
  await until('nothing', async () => (await evergreen()) === undefined)
})

test('a person has the plan prefer and avoid', async (t) => {
  const mission = await service.mission('Guided', { constraints: { posts_per_day: 1 } })
  const page = await open(t, service, `/missions/${mission.id}`)
  await page.getByText('Prefer or avoid. The plan follows what it learns.').click()
  const guidance = async () => (await service.rest('GET', `/missions/${mission.id}`)).constraints.guidance
  await page.getByRole('combobox', { name: 'Story' }).selectOption('prefers it')
  await until('the preference', async () => (await guidance())?.prefer_angles?.[0] === 'story')
  await page.getByRole('combobox', { name: '00-03 h' }).selectOption('avoids it')
  await page.getByText('The plan prefers Story, and avoids 00-03 h.').waitFor()
  assert.deepEqual(await guidance(), { prefer_angles: ['story'], avoid_hours: ['00-03'] })
  await accessible(page, 'what the plan prefers')
  await page.getByRole('combobox', { name: 'Story' }).selectOption('learns')
  await page.getByRole('combobox', { name: '00-03 h' }).selectOption('learns')
  await until('nothing', async () => (await guidance()) === undefined)
  const viewer = await open(t, service, `/missions/${mission.id}`, { as: { email: 'viewer@example.com', role: 'viewer' } })
  await viewer.getByText('The plan follows what it learns.').waitFor()
  assert.equal(await viewer.getByText('Prefer or avoid').count(), 0)
})
