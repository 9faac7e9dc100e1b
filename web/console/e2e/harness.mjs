// A service of its own for each test file, and pages that fail a test on any error.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import AxeBuilder from '@axe-core/playwright'
import { launchBrowser, patience, Service, settled, until } from './service.mjs'

export { settled, until } from './service.mjs'

// serve starts a service, for all tests of a file; speed is its clock's.
export async function serve(speed) {
  const service = prepare()
  await service.start(speed)
  return service
}

// prepare returns a service that isn't started yet, and is removed with the file's tests.
export function prepare() {
  const service = new Service()
  after(() => service.remove())
  return service
}

let browser
after(() => browser?.close())

// open signs in and opens a page; as is the sign-in's form, or null for nobody, and touch
// a finger in the mouse's place. Its test
// fails if the console logs an error, or the browser refuses something by policy.
export async function open(t, service, where, { width = 1440, touch = false, locale = 'en-GB', expected = [], as = { as: 'demo' } } = {}) {
  browser ??= await launchBrowser()
  const context = await browser.newContext({
    viewport: { width, height: width < 500 ? 844 : 900 },
    hasTouch: touch,
    isMobile: touch,
    locale,
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(patience)
  if (as) {
    const response = await context.request.post(`${service.url}/console/login`, {
      form: as,
      headers: { Origin: service.url },
      maxRedirects: 0,
    })
    assert.equal(response.status(), 303, await response.text())
  }
  const page = routed(patient(await context.newPage()))
  const errors = []
  page.on('console', (m) => m.type() === 'error' && errors.push(m.text()))
  page.on('pageerror', (e) => errors.push(String(e.stack ?? e)))
  await page.addInitScript(() =>
    addEventListener('securitypolicyviolation', (e) =>
      console.error(`refused by policy: ${e.violatedDirective} ${e.blockedURI} ${e.sample}`),
    ),
  )
  t.after(async () => {
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${t.name.replace(/\W+/g, '-')}.png` }).catch(() => {})
    // A request may be under way whose answer a test would have changed.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    await context.close()
    const unexpected = errors.filter((e) => !expected.some((x) => x.test(e)))
    assert.deepEqual(unexpected, [], 'the browser logged errors')
  })
  await page.goto(`${service.url}/console${where}`)
  await settled(page)
  return page
}

// patient has a page go elsewhere only when what was changed on it is answered: the browser would end those requests, and a
// test that reloads to see what was saved would find it or not by chance.
function patient(page) {
  const sent = new Set()
  page.on('request', (r) => r.headers()['idempotency-key'] && sent.add(r))
  for (const end of ['requestfinished', 'requestfailed']) page.on(end, (r) => sent.delete(r))
  for (const way of ['goto', 'reload', 'goBack']) {
    const go = page[way].bind(page)
    page[way] = async (...args) => {
      await page.evaluate(() => 0) // what a click has sent is known after it
      await until('the answers to what was changed', () => sent.size === 0)
      return go(...args)
    }
  }
  return page
}

// routed has page.route return only when the page's requests are routed: a renderer that is busy learns of it later than of
// a key that is pressed next, and what that sends would go past the route.
function routed(page) {
  const route = page.route.bind(page)
  const probe = '**/console/?routed'
  page.route = async (...args) => {
    await route(...args)
    if (!page.url().startsWith('http')) return
    let seen = false
    await route(probe, (r) => r.fulfill({ status: 204 }).then(() => (seen = true)))
    await until('requests are routed', () => page.evaluate(() => fetch('/console/?routed').catch(() => null)).then(() => seen))
    await page.unroute(probe)
  }
  return page
}

// shown waits until a text can be seen, wherever on a page it stands. The first match of a page may be one in a menu that is
// closed, such as the bell's, which what happens gets into by itself.
export async function shown(page, text, options) {
  await page.getByText(text, options).filter({ visible: true }).first().waitFor()
}

// fits fails if the page scrolls sideways at a width, or cuts off a choice.
export async function fits(page, what, width) {
  await page.setViewportSize({ width, height: width < 500 ? 844 : 900 })
  const seen = await page.evaluate(() => ({
    page: document.documentElement.scrollWidth - innerWidth,
    cut: [...document.querySelectorAll('[role=group]')]
      .filter((g) => g.scrollWidth > g.clientWidth + 1)
      .map((g) => g.getAttribute('aria-label')),
  }))
  assert.ok(seen.page <= 0, `${what} scrolls sideways by ${seen.page} px at ${width}`)
  assert.deepEqual(seen.cut, [], `${what} cuts choices off at ${width}`)
}

// accessible fails if axe finds something, in light or, where only the colours differ, in the dark.
export async function accessible(page, what) {
  await look(page, what)
  await page.emulateMedia({ colorScheme: 'dark' })
  await look(page, `${what} in the dark`, ['color-contrast'])
  await page.emulateMedia({ colorScheme: 'light' })
}

// look fails if axe finds something; only are the rules to look at.
export async function look(page, what, only) {
  // Legacy mode does without a second page, which only frames need; the console has none.
  // Of what passes one example is described instead of all. Together that takes a third of the time.
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'], rules: { 'label-content-name-mismatch': { enabled: true } } })
  const { violations } = await (
    only ? axe.withRules(only) : axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
  ).analyze()
  assert.deepEqual(
    violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.map((n) => n.html.slice(0, 200)).join('\n')}`),
    [],
    `${what} has barriers`,
  )
}
