// What people do with the console, by mouse and by keyboard alone, with the steps that it takes them.
import assert from 'node:assert/strict'
import test from 'node:test'
import { open, settled, until } from './harness.mjs'

const focused = (what) => what.evaluate((e) => e === document.activeElement)

// Mouse counts what a person does by mouse: a click, a drag and a text are a step each, and a choice from
// a list is two.
class Mouse {
  static word = 'mouse'
  static foreign = 'keydown' // what a person without a keyboard never causes
  steps = 0

  async click(what) {
    this.steps++
    await what.click()
  }

  async type(field, text) {
    this.steps++
    await field.fill(text)
  }

  async choose(list, option) {
    this.steps += 2
    await list.selectOption(option)
  }

  // drag moves something to the middle of what is elsewhere.
  async drag(what, to) {
    this.steps++
    const { mouse } = what.page()
    const { x, y, width, height } = await to.boundingBox()
    await what.hover()
    await mouse.down()
    await mouse.move(x + width / 2, y + height / 2, { steps: 8 })
    await mouse.up()
  }

  // upload chooses a file in the window that a click opens.
  async upload(field, file) {
    await this.choosing(field, file, () => this.click(field))
  }

  async choosing(field, file, act) {
    const [chooser] = await Promise.all([field.page().waitForEvent('filechooser'), act()])
    await chooser.setFiles(file)
  }
}

// Keys counts what a person does by keyboard: each key is a step, also one that is held with others, and
// each text. "g i" are two.
class Keys extends Mouse {
  static word = 'keyboard'
  static foreign = 'pointerdown'

  constructor(page) {
    super()
    this.page = page
  }

  async press(...keys) {
    for (const key of keys.flatMap((k) => k.split(' '))) {
      this.steps++
      await this.page.keyboard.press(key)
    }
  }

  // type writes into what has the focus.
  async type(text) {
    this.steps++
    await until('a field with the focus', () => this.page.evaluate(() => document.activeElement?.matches('input, textarea')))
    await this.page.keyboard.insertText(text)
  }

  // to leads to something, with Tab or another key.
  async to(what, key = 'Tab') {
    await what.waitFor()
    if (key !== 'Tab')
      await until('the focus in the menu', () => this.page.evaluate(() => !!document.activeElement?.matches('[role=menuitem]')))
    for (let n = 0; !(await focused(what)); n++) {
      assert.ok(n < 60, `${key} doesn’t lead to ${what}`)
      await this.press(key)
    }
  }

  // click goes to something and presses Enter.
  async click(what, key) {
    await this.to(what, key)
    await this.press('Enter')
  }
}

// Finger counts what a person does by touch.
class Finger extends Mouse {
  static word = 'finger'

  async click(what) {
    this.steps++
    await what.tap()
  }
}

// journeys are tests of tasks by name. Each begins on its page, has what given returns, and is done by mouse,
// by keyboard or by finger in a number of steps at most; done fails if it wasn't. size is the window's; those that are inFull
// are of the full suite.
export function journeys(service, tasks, { title = 'journeys', size, inFull = false } = {}) {
  const skip = inFull && !process.env.MISSIOND_TEST_FULL
  test(title, { skip }, async (t) => {
    const ways = []
    for (const Way of [Mouse, Keys, Finger])
      if (Object.values(tasks).some((task) => task[Way.word])) ways.push([Way, await watched(t, service, Way, size)])
    for (const [name, task] of Object.entries(tasks))
      for (const [Way, { page, seen }] of ways) {
        const [most, run] = task[Way.word] ?? []
        if (!run) continue
        await t.test(`${name}, by ${Way.word}`, async () => {
          const given = await task.given?.()
          await page.goto(`${service.url}/console${typeof task.from === 'function' ? task.from(given) : task.from}`)
          await settled(page)
          // A page that was opened by a link or a key has the focus.
          await page.evaluate(() => document.activeElement === document.body && document.querySelector('main').focus())
          await task.ready?.(page, given)
          const way = new Way(page)
          seen.clear()
          await run(way, page, given)
          assert.ok(!seen.has(Way.foreign), `it takes more than the ${Way.word}`)
          await task.done(page, given)
          if (process.env.PICTURES)
            await page.screenshot({ path: `${process.env.PICTURES}/${title}-${name}-${Way.word}.png`.replaceAll(' ', '-') })
          assert.ok(way.steps <= most, `it takes ${way.steps} steps, and took ${most}`)
          if (way.steps < most) t.diagnostic(`${name}, by ${Way.word}: ${way.steps} of ${most} steps`)
        })
      }
  })
}

// watched opens a page that records which kinds of events a person caused.
async function watched(t, service, Way, size) {
  const page = await open(t, service, '/settings/usage', Way === Finger ? { width: 390, touch: true } : {})
  if (size) await page.setViewportSize(size)
  const seen = new Set()
  await page.exposeFunction('used', (type) => void seen.add(type))
  await page.addInitScript(() => {
    for (const type of ['keydown', 'pointerdown']) addEventListener(type, (e) => e.isTrusted && window.used(type), true)
  })
  return { page, seen }
}
