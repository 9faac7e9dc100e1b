// Tier: full
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import test from 'node:test'
import { accessible, fits, look, open, serve, settled, shown, until } from './harness.mjs'

const service = await serve()

test('a key is shown once, works, and is revoked', async (t) => {
  const page = await open(t, service, '/settings/keys')
  await page.getByRole('button', { name: 'New key' }).click()
  const dialog = page.getByRole('dialog')
  await accessible(page, 'the dialog of a new key')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('A program')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const key = await page.getByRole('textbox', { name: 'The secret' }).inputValue()
  const list = () => fetch(`${service.url}/v1/missions`, { headers: { Authorization: `Bearer ${key}` } }).then((r) => r.status)
  assert.equal(await list(), 200)
  await page.getByRole('button', { name: 'I have stored it' }).click()
  assert.ok(!(await page.content()).includes(key), 'the secret is gone from the page')
  await page.getByRole('button', { name: 'Actions for A program' }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  await page.getByText('Revoked.').waitFor()
  assert.equal(await list(), 401)
})

test('a webhook is made, tested, and a delivery sent again', async (t) => {
  let status = 500
  const received = []
  const receiver = http.createServer((q, r) => {
    let body = ''
    q.on('data', (d) => (body += d)).on('end', () => {
      received.push(JSON.parse(body))
      r.writeHead(status).end('the receiver’s words')
    })
  })
  await new Promise((done) => receiver.listen(0, '127.0.0.1', done))
  t.after(() => (receiver.close(), receiver.closeAllConnections()))
  const page = await open(t, service, '/settings/webhooks')
  await page.getByRole('button', { name: 'New endpoint' }).click()
  await page.getByRole('textbox', { name: 'Address' }).fill(`http://127.0.0.1:${receiver.address().port}/hook`)
  await page.getByRole('checkbox', { name: 'Mission created' }).check()
  await page.getByRole('button', { name: 'Create endpoint' }).click()
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await page.getByRole('link', { name: /127\.0\.0\.1/ }).click()
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('The test failed: The receiver returned 500.').waitFor()
  await service.mission('Told')
  await until('the event', () => received.find((e) => e.type === 'mission.created'))
  await page.reload()
  await page.getByText(/^Last error .*: it responded with 500\.$/).waitFor()
  const type = page.getByRole('combobox', { name: 'Type' })
  await type.selectOption('Post published')
  await page.getByRole('heading', { name: 'No deliveries' }).waitFor()
  await page.getByText('Example payload').click()
  await page.getByRole('region', { name: 'An example' }).getByText('"type": "content.published"').waitFor()
  await accessible(page, 'an endpoint')
  await type.selectOption('All types')
  await page.getByRole('combobox', { name: 'Created' }).selectOption('The last day')
  status = 200
  await page.getByRole('button', { name: 'Send a test' }).click() // nothing is sent again before an endpoint has accepted something
  await page.getByText(/^The test was accepted: 200 in \d+ ms\.$/).waitFor()
  await page.getByRole('button', { name: 'Mission created' }).first().click()
  await shown(page, 'the receiver’s words')
  const before = received.length
  await page.getByRole('button', { name: 'Send again' }).click()
  await until('the second delivery', () => received.length > before)
  // An endpoint that is gone is disabled, which the bell says at once.
  status = 410
  await service.mission('Not told')
  const note = page.getByRole('menuitem', { name: /^New: .*was disabled/ })
  const bell = page.getByRole('button', { name: /^Notifications/ })
  await until('the notification', async () => {
    await bell.click()
    if (await note.isVisible()) return true
    await page.keyboard.press('Escape')
  })
  await accessible(page, 'the notifications')
  await note.click()
  await page.waitForURL(/settings\/webhooks\/whk_/)
  await bell.click()
  await page.getByRole('menuitem', { name: /^The webhook endpoint .*was disabled/ }).waitFor()
})

test('the bell is at hand on a phone', async (t) => {
  const receiver = http.createServer((q, r) => (q.resume(), r.writeHead(410).end()))
  await new Promise((done) => receiver.listen(0, '127.0.0.1', done))
  t.after(() => (receiver.close(), receiver.closeAllConnections()))
  const page = await open(t, service, '/missions', { width: 360, touch: true })
  const bell = page.getByRole('button', { name: /^Notifications/ })
  await bell.waitFor()
  await service.rest('POST', '/webhooks', {
    url: `http://127.0.0.1:${receiver.address().port}/a-receiver-with-a-long-address-that-is-gone`,
    events: ['mission.created'],
  })
  await service.mission('Heard on a phone', { constraints: { require_approval: false } }) // nothing waits for review
  await page.getByRole('button', { name: /^Notifications, \d+ unread$/ }).waitFor()
  const within = async (what, element) => {
    const [box, view] = [await element.boundingBox(), page.viewportSize()]
    assert.ok(
      box && box.x >= 0 && box.y >= 0 && box.x + box.width <= view.width + 0.5 && box.y + box.height <= view.height + 0.5,
      `${what} is at ${JSON.stringify(box)}`,
    )
    return box
  }
  const size = await within('the bell', bell)
  assert.ok(size.width >= 44 && size.height >= 44, `the bell is ${size.width} by ${size.height}`)
  const menu = page.getByRole('menu', { name: 'Notifications' })
  const note = menu.getByRole('menuitem', { name: /^New: .*a-receiver-with-a-long-.*was disabled/ })
  await bell.tap()
  await within('the sheet', menu)
  await note.waitFor()
  await settled(page) // the list behind it is read again
  await accessible(page, 'the bell on a phone')
  assert.equal(await menu.evaluate((m) => m.scrollWidth > m.clientWidth), false, 'the sheet scrolls sideways')
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, 'the page scrolls sideways')
  await page.touchscreen.tap(350, 120) // beside it, and beside the buttons of the page
  await menu.waitFor({ state: 'hidden' })
  // By keyboard: Enter opens it, the arrows move, Escape closes it and gives the focus back.
  await bell.focus()
  await page.keyboard.press('Enter')
  await menu.waitFor()
  await page.keyboard.press('End')
  await until('the last is focused', () =>
    menu
      .getByRole('menuitem')
      .last()
      .evaluate((e) => e === document.activeElement),
  )
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'hidden' })
  assert.ok(await bell.evaluate((e) => e === document.activeElement), 'the focus is lost')
  await bell.tap()
  await note.tap()
  await page.waitForURL(/settings\/webhooks\/whk_/)
  // It is read now; others may have come meanwhile.
  await bell.tap()
  await menu.getByRole('menuitem', { name: /a-receiver-with-a-long-.*was disabled/ }).waitFor()
  await note.waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'hidden' })
  // The account is beside it.
  await page.getByRole('button', { name: 'Demo admin' }).tap()
  await within('the account', page.getByRole('menu', { name: 'Account' }))
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
})

test('changes are found in the audit log', async (t) => {
  const page = await open(t, service, '/settings/keys')
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('To be audited')
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await page.getByRole('link', { name: 'Audit log' }).click()
  const rows = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ hasText: /created|changed|joined|connected|revoked|rotated/i })
  await rows.filter({ hasText: 'To be audited' }).waitFor()
  await accessible(page, 'the audit log')
  await page.getByRole('combobox', { name: 'Change' }).selectOption('API key created')
  await until('only created keys', async () => {
    const texts = await rows.allTextContents()
    return texts.length > 0 && texts.every((text) => text.includes('API key created'))
  })
  await page.reload()
  await rows.filter({ hasText: 'To be audited' }).waitFor()
  await page.getByLabel('To', { exact: true }).fill('2020-01-01')
  await page.getByRole('heading', { name: 'No matching changes' }).waitFor()
  await page.getByRole('button', { name: 'Show all changes' }).click()
  await rows.filter({ hasText: 'To be audited' }).waitFor()
  assert.equal(await page.getByLabel('To', { exact: true }).inputValue(), '')
})

test('the audit log is saved as it is filtered, with nothing that a spreadsheet would run', async (t) => {
  for (let n = 0; n < 102; n++) {
    const { id } = await service.rest('POST', '/auth/keys', { name: `${n % 2 ? '=1+1' : '@"SUM"'} ${n}`, expires_in_days: 30 })
    if (n < 100) await service.rest('DELETE', `/auth/keys/${id}`)
  }
  const page = await open(t, service, '/settings/audit?action=API_KEY_CREATED')
  await page.getByRole('listitem').filter({ hasText: '@"SUM" 100' }).waitFor()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).focus()
  await page.keyboard.press('Enter')
  const file = await saved
  assert.equal(file.suggestedFilename(), 'audit-log.csv')
  const lines = readFileSync(await file.path(), 'utf8')
    .trimEnd()
    .split('\n')
  assert.equal(lines[0], 'time,change,target_id,target,user_id,user,key_id,key,agent_id,agent,details')
  assert.ok(lines.length > 102, `${lines.length} lines`)
  assert.ok(lines.slice(1).every((l) => l.includes(',api_key_created,')))
  assert.ok(lines.some((l) => l.includes(",'=1+1 101,")) && lines.some((l) => l.includes(',"\'@""SUM"" 100",')), lines[1])
  assert.ok(lines.every((l) => !/,"?[=+@]/.test(l)))
  await page.getByText(`${lines.length - 1} changes exported.`).waitFor()
})

test('a long export says how far it is, and stops', async (t) => {
  const page = await open(t, service, '/settings/audit')
  let going
  const held = new Promise((done) => (going = done))
  await page.route('**/graphql', async (route) => {
    const body = route.request().postDataJSON()
    if (body?.operationName === 'AuditExportQuery' && body.variables.after) await held
    return route.continue()
  })
  await page.getByRole('button', { name: 'Export CSV' }).click()
  await page.getByText(/^100 of \d+ changes$/).waitFor()
  await accessible(page, 'an export that is under way')
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: 'Export CSV' }).waitFor()
  going()
})

test('keys say who made them and when, and are cards on a phone', async (t) => {
  await service.rest('POST', '/auth/keys', { name: 'Of somebody', expires_in_days: 30 })
  const page = await open(t, service, '/settings/keys', { width: 390 })
  const row = page.getByRole('row').filter({ hasText: 'Of somebody' })
  await row.getByText(/^by .+/).waitFor()
  assert.match(await row.innerText(), /\d{1,2} \w{3} \d{4}/)
  assert.match(await row.innerText(), /expires \d{1,2} \w{3} \d{4}/)
  const menu = page.getByRole('button', { name: 'Actions for Of somebody' })
  const box = await menu.boundingBox()
  assert.ok(box.x + box.width <= 390, 'its actions are within the screen')
  await fits(page, 'the keys', 390)
  await look(page, 'the keys on a phone')
})

test('members: who was seen when, who came with the organization, and where people sign in', async (t) => {
  const who = { as: { email: 'grace@example.com', role: 'editor' } }
  await open(t, service, '/inbox', who)
  const page = await open(t, service, '/settings/members')
  const member = (name) => page.getByRole('main').getByRole('listitem').filter({ hasText: name })
  await member('grace@example.com')
    .getByText(/joined \d{1,2} \w{3} \d{4} · last seen .+/)
    .waitFor()
  await member('nobody signs in as this member').getByText('First admin').waitFor()
  assert.equal(await member('You').getByText('First admin').count(), 0)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy sign-in link' }).click()
  await page.getByText('Copied.').waitFor()
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `${service.url}/console/login`)
  await accessible(page, 'the members')
  for (const width of [1024, 390]) await fits(page, 'the members', width)
  const anybody = await fetch(`${service.url}/console/login`, { redirect: 'manual' })
  assert.ok(anybody.status < 400, `the link leads to ${anybody.status}`)
})

test('the brand is kept', async (t) => {
  const page = await open(t, service, '/settings/brand')
  await page.getByRole('textbox', { name: 'Voice' }).fill('Plain and friendly.')
  await page.getByRole('textbox', { name: 'Website' }).fill('not an address')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('.problem').first().waitFor()
  await page.getByRole('textbox', { name: 'Website' }).fill('https://example.com')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/Saved/).waitFor()
  await page.reload()
  await until('the voice', async () => (await page.getByRole('textbox', { name: 'Voice' }).inputValue()) === 'Plain and friendly.')
})

test('what others change is shown without a reload', async (t) => {
  const page = await open(t, service, '/settings/keys')
  const row = (of) => page.getByRole('main').getByRole('listitem').filter({ hasText: of })
  const { id: key } = await service.rest('POST', '/auth/keys', { name: 'Of a program' })
  await page.getByRole('row', { name: /Of a program.*Active/ }).waitFor()
  await service.rest('DELETE', `/auth/keys/${key}`)
  await page.getByRole('row', { name: /Of a program.*Revoked/ }).waitFor()
  await page.getByRole('link', { name: 'Audit log' }).click()
  await row('Of a program').first().waitFor()
  await service.rest('POST', '/auth/keys', { name: 'Of another program' })
  await row('Of another program').waitFor()
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByRole('button', { name: 'New endpoint' }).waitFor()
  const { id: hook } = await service.rest('POST', '/webhooks', { url: 'http://127.0.0.1:1/elsewhere', events: ['mission.created'] })
  await page.getByRole('link', { name: /elsewhere/ }).click()
  await service.mission('Tried in vain')
  await page.getByRole('button', { name: 'Mission created' }).first().waitFor()
  await page.getByText(/^Last error/).waitFor() // of an attempt, after which nothing happens
  await service.rest('DELETE', `/webhooks/${hook}`)
  await page.getByText('Endpoint not found').waitFor()
  // In forms too, but for what is being typed.
  await page.goto(`${service.url}/console/settings/brand`)
  await page.getByRole('textbox', { name: 'Voice' }).fill('Being typed')
  await service.rest('PUT', '/tenant', { brand: { voice: 'Theirs', audience: 'Their readers' } })
  const is = (name, value) => until(`${name}: ${value}`, async () => (await page.getByRole('textbox', { name }).inputValue()) === value)
  await is('Audience', 'Their readers')
  await is('Voice', 'Being typed')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/Saved/).waitFor()
  await service.rest('PUT', '/tenant', { brand: { voice: 'Theirs again' } })
  await is('Voice', 'Theirs again')
})

test('what others change of missions is shown without a reload', async (t) => {
  const { id } = await service.mission('An old name')
  const page = await open(t, service, '/missions')
  await page.getByRole('link', { name: /An old name/ }).waitFor()
  await service.rest('PUT', `/missions/${id}`, { name: 'A new name' })
  await page.getByRole('link', { name: /A new name/ }).click()
  await page.getByRole('heading', { name: 'A new name' }).waitFor()
  await service.rest('PUT', `/missions/${id}`, { name: 'A newer name' })
  await page.getByRole('heading', { name: 'A newer name' }).waitFor()
})
