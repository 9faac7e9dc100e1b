// Tier: full
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { buildSchema, getNamedType, GraphQLEnumType, isAbstractType, isListType, isNonNullType, parse } from 'graphql'
import { open, prepare, settled, shown, until } from './harness.mjs'
import { fill, pages } from './pages.mjs'

// A service that is newer than the page has values that the page has never heard of. Here every
// value of an enum in what the service sends is such a one, by turns with those that are known.
const schema = buildSchema(readFileSync(new URL('../../../docs/schema.graphql', import.meta.url), 'utf8'))
const documents = JSON.parse(readFileSync(new URL('../src/__generated__/persisted.json', import.meta.url), 'utf8'))
// What a page sends of it back is the known one again, as such a service would take it.
const unheard = (value) => `UNHEARD_OF_${value}`
const known = (text) => text.replace(/UNHEARD_OF_/g, '').replace(/unheard_of_/g, '')
const seen = new Map()

// other returns a value in the place of one of an enum.
function other(type, value) {
  const n = (seen.get(type.name) ?? 0) + 1
  seen.set(type.name, n)
  return n % 2 === 1 ? unheard(value) : value
}

const listed = (type) => (isNonNullType(type) ? listed(type.ofType) : isListType(type))

// rewrite returns a value of a type with other enum values. A list of them has one more: what a
// person may do, say, is still there.
function rewrite(type, selections, value, fragments) {
  if (value === null || value === undefined) return value
  const named = getNamedType(type)
  if (named instanceof GraphQLEnumType) return listed(type) ? [...value, unheard(named.name.toUpperCase())] : other(named, value)
  if (Array.isArray(value)) return value.map((v) => rewrite(named, selections, v, fragments))
  if (named.name === 'JSON') return texts(value)
  if (typeof value !== 'object') return value
  const out = { ...value }
  const within = isAbstractType(named) && value.__typename ? schema.getType(value.__typename) : named
  visit(within, selections)
  return out

  function visit(of, list) {
    for (const s of list) {
      if (s.kind === 'InlineFragment') visit(s.typeCondition ? schema.getType(s.typeCondition.name.value) : of, s.selectionSet.selections)
      else if (s.kind === 'FragmentSpread')
        visit(schema.getType(fragments.get(s.name.value).typeCondition.name.value), fragments.get(s.name.value).selectionSet.selections)
      else {
        const key = (s.alias ?? s.name).value
        const field = of?.getFields?.()[s.name.value]
        if (!field || !(key in value)) continue
        out[key] = rewrite(field.type, s.selectionSet?.selections ?? [], value[key], fragments)
      }
    }
  }
}

// texts returns an event's data with other words, but for ids and times.
function texts(value) {
  if (Array.isArray(value)) return value.map(texts)
  if (value && typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, texts(v)]))
  return typeof value === 'string' && /^[a-z_.]+$/.test(value) ? unheard(value).toLowerCase() : value
}

function answer(hash, data) {
  const document = parse(documents[hash])
  const operation = document.definitions.find((d) => d.kind === 'OperationDefinition')
  const root = { query: schema.getQueryType(), mutation: schema.getMutationType(), subscription: schema.getSubscriptionType() }[
    operation.operation
  ]
  const fragments = new Map(document.definitions.filter((d) => d.kind === 'FragmentDefinition').map((d) => [d.name.value, d]))
  return rewrite(root, operation.selectionSet.selections, data, fragments)
}

// future has a page's service send values that the page doesn't know.
async function future(context) {
  await context.route('**/graphql', async (route) => {
    const request = route.request()
    if (request.method() !== 'POST') return route.continue()
    const response = await route.fetch({ postData: known(request.postData()) }).catch(() => null)
    if (!response) return route.abort()
    const body = await response.json()
    if (body.data) body.data = answer(request.postDataJSON().extensions.persistedQuery.sha256Hash, body.data)
    await route.fulfill({ response, json: body }).catch(() => {})
  })
  await context.routeWebSocket(/\/graphql$/, (socket) => {
    const server = socket.connectToServer()
    const hashes = new Map()
    socket.onMessage((text) => {
      const message = JSON.parse(text)
      if (message.type === 'subscribe') hashes.set(message.id, message.payload.extensions.persistedQuery.sha256Hash)
      server.send(known(text))
    })
    server.onMessage((text) => {
      const message = JSON.parse(text)
      if (message.type === 'next' && message.payload.data) message.payload.data = answer(hashes.get(message.id), message.payload.data)
      socket.send(JSON.stringify(message))
    })
  })
}

const service = prepare()
const ids = await fill(service)

test('no page fails of a value that it doesn’t know', async (t) => {
  const page = await open(t, service, '/missions')
  const context = page.context()
  await future(context)
  const wrong = []
  page.on('console', (m) => m.type() === 'error' && wrong.push([page.url(), m.text()].join(': ')))
  for (const p of pages(ids)) {
    await page.goto(`${service.url}/console${p.path}`)
    await settled(page)
    // What is opened may be gone, as what has a state that isn't known.
    if (p.open) await p.open(page).catch(() => {})
    await page.waitForLoadState('networkidle')
    const text = await page.locator('body').innerText()
    if (/couldn’t be loaded|Something went wrong/.test(text))
      wrong.push(`${p.path} ${p.name ?? ''}: ${text.match(/(couldn’t be loaded|Something went wrong)[^\n]*/)[0]}`)
  }
  assert.deepEqual(wrong, [])
  const enums = Object.values(schema.getTypeMap()).filter((e) => e instanceof GraphQLEnumType)
  t.diagnostic(`values of ${seen.size} of ${enums.length} enums were other ones`)
  assert.ok(seen.size > 12)
})

test('events with values that the page doesn’t know are shown', async (t) => {
  const page = await open(t, service, '/missions')
  await future(page.context())
  await page.goto(`${service.url}/console/activity`)
  await shown(page, /^Unheard of /)
  await service.rest('POST', `/missions/${ids.mission}/pause`)
  await service.rest('POST', `/missions/${ids.mission}/resume`)
  await until(
    'an event of the mission',
    async () => (await page.getByRole('listitem').filter({ hasText: 'Unheard of mission' }).count()) > 0,
  )
})

test('no page fails of an address that it doesn’t know', async (t) => {
  const page = await open(t, service, '/missions')
  for (const path of [
    '/activity?kind=constructor',
    '/analytics?days=many&metric=toString&by=nothing',
    '/calendar?day=never&zone=Moon/Tycho&platform=constructor&status=NONE&view=year',
    '/calendar?day=2026-02-31',
    '/missions?status=NONE&order=constructor',
    '/settings/audit?action=constructor&from=0002-01-01&to=x',
    '/settings/nothing',
    `/missions/${ids.mission}/nothing`,
  ]) {
    await page.goto(`${service.url}/console${path}`)
    await settled(page)
    assert.equal(await page.getByText(/couldn’t be loaded|Something went wrong/).count(), 0, path)
  }
})

test('what a program says of its errors isn’t shown: a code is, which the console has too', async (t) => {
  const page = await open(t, service, '/missions', { expected: [/error \w+:/, /TypeError/] })
  const said = []
  page.on('console', (m) => m.type() === 'error' && said.push(m.text()))
  await page.route('**/graphql', async (route) => {
    if (route.request().postDataJSON().operationName !== 'ConnectionsQuery') return route.continue()
    const response = await route.fetch()
    const body = await response.json()
    body.data.platforms[0].connectBy = null
    await route.fulfill({ response, json: body })
  })
  await page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: 'Connections' }).click()
  const words = await page.getByText('Something went wrong on this page.').innerText()
  const code = /send us this code: (\w+)$/.exec(words)[1]
  await until('the code in the browser’s console', () => said.some((s) => s.includes(`error ${code}`)))
})
