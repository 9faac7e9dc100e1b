// Tier: full
// What a screen reader says of the main pages and tasks: the roles and names that a person finds the way by.
import assert from 'node:assert/strict'
import test from 'node:test'
import { open, serve, settled } from './harness.mjs'

const service = await serve(1)
const mission = await service.mission('Autumn', {
  ...(await service.later()),
  platforms: ['mastodon'],
  kpis: [{ metric: 'likes', target: 100 }],
})
const [post] = await service.written(mission, 4)
await service.rest('PUT', `/content/${post.id}`, { text: 'Read aloud' })

const everywhere = ['link "Skip to the content"', 'navigation "Main"', ['link', /^Inbox \d waiting/], 'main']

// By its page: the keys that open a view, and what its tree has, in this order.
const views = [
  {
    path: '/',
    has: [
      ...everywhere,
      'heading "Home" [level=1]',
      'button "Hold everything …"',
      'region "Needs attention"',
      ['link', /^4 posts to review the first expires .* Review$/],
      'region "Active missions"',
      ['link', /^Autumn Mastodon Nothing approved : .*posts wait for review/],
      'meter "Likes"',
      'heading "Next posts" [level=2]',
    ],
  },
  {
    path: `/inbox/${post.id}`,
    has: [
      ...everywhere,
      'region "Posts waiting for review"',
      'heading "Inbox" [level=1]',
      'list',
      'checkbox "Select: Read aloud"',
      ['link', /^Mastodon Autumn .*Read aloud/],
      'region "Review"',
      ['heading', /on Mastodon$/, '[level=2]'],
      'article "Post on Mastodon"',
      'toolbar "Decide"',
      'button "Approve"',
      'button "Reject"',
      'button "Edit"',
    ],
  },
  {
    path: `/inbox/${post.id}`,
    keys: ['r'],
    has: [
      'dialog "Reject this post"',
      'heading "Reject this post" [level=2]',
      'button "Close"',
      'button "Off brand"',
      ['textbox', /^Why/],
      'button "Cancel"',
      'button "Reject"',
    ],
  },
  {
    path: `/inbox/${post.id}`,
    keys: ['e'],
    has: ['region "Review"', 'form "Edit the post"', 'textbox "Text"', 'button "Save"', 'button "Cancel"'],
  },
  {
    path: '/missions/new',
    has: [
      ...everywhere,
      'heading "New mission" [level=1]',
      'region "Goal"',
      'textbox "Name"',
      'textbox "Objectives"',
      'group "Platforms"',
      'checkbox "Mastodon sandbox"',
      'region "Schedule"',
      'combobox "Posting days"',
      'textbox "Posts a day"',
      'combobox "Time zone"',
      ['checkbox', /^A person approves each post/, '[checked]'],
      'button "Add a target"',
      'heading "Plan" [level=2]',
      'status',
      'button "Start the mission"',
    ],
  },
  {
    path: `/missions/${mission.id}`,
    has: [
      ...everywhere,
      'heading "Autumn Active" [level=1]',
      'button "Pause"',
      'button "More actions"',
      'meter "Time"',
      'meter "Posts"',
      'navigation "Mission"',
      'link "Posts"',
      'list "Recent activity"',
    ],
  },
  {
    path: '/posts',
    has: [
      ...everywhere,
      'heading "Posts" [level=1]',
      'button "Export CSV"',
      'group "State"',
      'button "All" [pressed]',
      'combobox "Platform"',
      'combobox "Order"',
      'searchbox "Search the posts’ texts"',
      'region "Posts"',
      'table',
      'checkbox "Select all that are shown"',
      'columnheader "Impressions"',
      'checkbox "Select: Read aloud"',
      'link "Mastodon Read aloud"',
    ],
  },
  {
    path: `/posts/${post.id}`,
    has: [
      ...everywhere,
      ['heading', /on Mastodon$/, '[level=1]'],
      'article "Post on Mastodon"',
      'heading "What happened" [level=2]',
      ['textbox', /^Comment/],
      'heading "What can be done" [level=2]',
      'button "Approve"',
      'textbox "Goes out"',
    ],
  },
  {
    path: '/calendar?zone=UTC',
    has: [
      ...everywhere,
      'button "Previous week"',
      'button "Next week"',
      'group "View"',
      'button "Week" [pressed]',
      'button "Write a post"',
      'combobox "Mission"',
      'grid "Week"',
      'columnheader "Hour"',
      'rowheader "00:00"',
      ['gridcell', /day \d+ \w+, \d\d:00/],
    ],
  },
  {
    path: '/calendar',
    keys: ['n'],
    has: [
      'dialog "Write a post"',
      'heading "Write a post" [level=2]',
      'textbox "Text"',
      'article "Post on Mastodon"',
      ['button', /^(Add to the queue|Schedule)/],
    ],
  },
  {
    path: '/missions',
    keys: ['Control+k'],
    has: [
      'dialog "Find"',
      'combobox "Find a page, a mission, a post or an action" [expanded]',
      'listbox "Found"',
      'option "New mission"',
      'option "Inbox"',
    ],
  },
  {
    path: '/missions',
    keys: ['Shift+H'],
    has: ['dialog "Hold everything?"', 'heading "Hold everything?" [level=2]', 'textbox "Reason"', 'button "Hold everything"'],
  },
  {
    path: '/settings/keys',
    has: [
      ...everywhere,
      'heading "Settings" [level=1]',
      'navigation "Settings"',
      'link "API keys"',
      'button "New key"',
      'region "API keys"',
      'columnheader "Last used"',
      ['button', /^Actions for /],
    ],
  },
]

// A Said is an element as a line of a tree has it.
function said(line) {
  const bare = line.trim().replace(/^- /, '')
  const text = bare.startsWith("'")
    ? bare
        .slice(1)
        .replace(/'(:.*)?$/, '')
        .replaceAll("''", "'")
    : bare
  const [, role, name = '', states = ''] = /^(\w+)(?: "((?:[^"\\]|\\.)*)")?((?: \[[^\]]*\])*)/.exec(text) ?? []
  return { role, name: name.replaceAll('\\"', '"'), states }
}

// matches reports whether a line is an element: 'button "Save"', or ['link', /^Inbox/] by its role and name.
function matches(line, element) {
  const is = said(line)
  const { role, name, states } =
    typeof element === 'string' ? said(element) : { role: element[0], name: element[1], states: element[2] ?? '' }
  return is.role === role && is.states.includes(states.trim()) && (name instanceof RegExp ? name.test(is.name) : !name || name === is.name)
}

test('a screen reader says what pages and tasks are', async (t) => {
  const page = await open(t, service, '/inbox')
  for (const { path, keys = [], has } of views)
    await t.test([path, ...keys].join(' '), async () => {
      await page.goto(`${service.url}/console${path}`)
      await settled(page)
      for (const key of keys) await page.keyboard.press(key)
      const dialog = has[0].startsWith?.('dialog')
      const top = dialog ? page.locator('dialog[open]') : page.locator('body')
      if (keys.length > 0) await (dialog ? top : page.getByRole('form')).waitFor()
      const tree = (await top.ariaSnapshot()).split('\n')
      let at = 0
      for (const element of has) {
        const found = tree.slice(at).findIndex((line) => matches(line, element))
        assert.ok(found >= 0, `${element} isn’t said after line ${at} of\n${tree.join('\n')}`)
        at += found + 1
      }
      if (!dialog)
        for (const landmark of ['banner', 'contentinfo']) assert.ok(!tree.some((l) => matches(l, landmark)), `${landmark} isn’t the page’s`)
    })
})
