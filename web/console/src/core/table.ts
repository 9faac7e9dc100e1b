// table returns what values of the service are called or drawn as. A service that is newer than
// the page has values that the page has never heard of: for those other makes something of the
// value. keys are the values that are known.
export function table<K extends string, T>(known: Readonly<Record<K, T>>, other: (value: string) => T) {
  const of = (value: string): T => (Object.hasOwn(known, value) ? known[value as K] : other(value))
  return Object.assign(of, { keys: Object.keys(known) as K[], has: (value: string): value is K => Object.hasOwn(known, value) })
}

// inWords returns an unknown value as words: "SOME_NEW_STATE" is "Some new state".
export function inWords(value: string) {
  const words = value.toLowerCase().replace(/[_.]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
