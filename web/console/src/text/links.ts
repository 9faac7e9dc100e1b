// Where a platform makes links in a text: internal/links in Go has the whole rule; this
// is for what people see while they write. The service's check has the last word.
const accents = '\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u024f\\u0300-\\u036f\\u1e00-\\u1eff'
const label = `[a-z0-9${accents}](?:[a-z0-9_${accents}-]*[a-z0-9${accents}])?`

// Country codes, and the other top-level domains that posts link to.
const tld =
  '(?:' +
  ('ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bv bw by bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw ' +
    'com net org edu gov mil int info biz name pro app dev page blog news shop store online site tech cloud digital agency studio design media social world life today live link club space website xyz ink art music film video photos events academy school university health care fitness food coffee restaurant travel tours hotel house homes estate finance money bank capital fund ventures partners consulting group company solutions services systems software tools codes science energy green eco earth bike auto cars fashion style beauty kids baby pet dog games game fun cool wiki guide how zone network host email chat community foundation ngo report review reviews press team work works jobs careers law legal global international berlin london paris nyc tokyo amsterdam wien hamburg koeln vegas miami boston africa asia next new now zip mov foo day top vip one')
    .split(' ')
    .join('|') +
  ')(?![a-z0-9@+-])'

const host = `(?:${label}\\.)+${tld}(?::\\d+)?`
const xTail = `(?:/(?:[a-z0-9!*';:=+,.$/%#\\[\\]_~|&@–${accents}\\u0400-\\u04ff-]*(?:\\([^\\s()]*\\)|[a-z0-9=_#/+${accents}\\u0400-\\u04ff-]))*)?(?:\\?[a-z0-9!?*'();:&=+$/%#\\[\\]_.,~|@-]*[a-z0-9_&=#/-])?`
const mastodonTail = `(?:/(?:[^\\s<>()?]*(?:\\([^\\s()]*\\)|[^\\s()?!*"'「」<>;:=,.$%\\[\\]~&|@]))*)?(?:\\?[a-z0-9!?*'();:&=+$/%#\\[\\]_.,~|@^\\u00a0-\\uffff-]*[a-z0-9_&=#/\\u00a0-\\uffff-])?`

const xLinks = new RegExp(`(?<![a-z0-9@$#＠＃])(?:https?://${host}|(?<![-_./])${host})${xTail}`, 'gi')
const mastodonLinks = new RegExp(`(?<![a-z0-9@$#＠＃])(?:https?|dat|dweb|ipfs|ipns|ssb|gopher|gemini)://${host}${mastodonTail}`, 'gi')

// Span is a piece of a text, from start to end.
export type Span = { start: number; end: number }

// links returns the links that a platform makes in a text, in order.
export function links(platform: string, text: string): Span[] {
  const rule = platform === 'TWITTER' ? xLinks : mastodonLinks
  return [...text.matchAll(rule)].map((m) => ({ start: m.index, end: m.index + m[0].length }))
}

export type Piece = { kind: 'text' | 'link' | 'mention' | 'tag'; text: string }

const words = /(?<![\p{L}\p{N}_/@.])(@[\p{L}\p{N}_][\p{L}\p{N}_.@-]*[\p{L}\p{N}_]|@[\p{L}\p{N}_]|#[\p{L}\p{N}_]*[\p{L}_][\p{L}\p{N}_]*)/gu

// pieces splits a text into what a platform shows as links, mentions and hashtags, and
// the rest.
export function pieces(platform: string, text: string): Piece[] {
  const out: Piece[] = []
  let at = 0
  for (const { start, end } of links(platform, text)) {
    plain(text.slice(at, start), out)
    out.push({ kind: 'link', text: text.slice(start, end) })
    at = end
  }
  plain(text.slice(at), out)
  return out
}

function plain(text: string, out: Piece[]) {
  let at = 0
  for (const m of text.matchAll(words)) {
    if (m.index > at) out.push({ kind: 'text', text: text.slice(at, m.index) })
    out.push({ kind: m[0].startsWith('@') ? 'mention' : 'tag', text: m[0] })
    at = m.index + m[0].length
  }
  if (at < text.length) out.push({ kind: 'text', text: text.slice(at) })
}

// shown returns a link as platforms show it: without its scheme, and not too long.
export function shown(link: string) {
  const bare = link.replace(/^\w+:\/\/(?:www\.)?/i, '').replace(/\/$/, '')
  return bare.length > 30 ? `${bare.slice(0, 29)}…` : bare
}
