import { isJson, type Json, type Oddity, oddities, randomAt } from './odd-values'

export type OddMix = { seed: number; share: number; enabled: readonly Oddity[] }

export function mixOf(seed: number): OddMix {
  const share = 0.1 + randomAt(seed, 'share').next() * 0.1
  return { seed, share, enabled: oddities.filter(({ name }) => randomAt(seed, 'mix', name).chance(0.5)) }
}

/** Fields that some responses omit. The odd dialect sometimes adds one as null. */
const optional = ['code', 'processed_at', 'effective_at', 'balance', 'expires_at', 'related_payments', 'documents', 'metadata', 'messages']

/** Names of unknown fields. Some are also names of built-in JavaScript properties. */
const strangeNames = ['internal_score', 'x-trace', 'größe', '__proto__', 'constructor', 'hasOwnProperty', 'length', 'id ', '', '0', 'then']

const strangeValues = [
  1.5,
  true,
  null,
  'new',
  'a long text of a field that nobody knows '.repeat(60),
  { nested: { deeper: [{ deepest: null }] } },
  [1, 'two', { three: 3 }, [4]],
]

const put = (object: Json, name: string, value: unknown): void => {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
}

/** True for a field that must stay unchanged: an id or token that a client needs for its next request. */
export type Kept = (path: readonly string[]) => boolean

type Place = { owner: string; path: readonly string[]; kept: Kept }

/**
 * Returns the object with odd fields. The changes depend only on the seed, the `owner` and each field's path, so an object is the same in a
 * list and in its own response.
 */
export function oddObject(mix: OddMix, owner: string, object: Json, kept: Kept): Json {
  return fieldsOf(mix, object, { owner, path: [], kept })
}

function fieldsOf(mix: OddMix, object: Json, { owner, path, kept }: Place): Json {
  const oddFields: Json = {}
  for (const [name, value] of Object.entries(object)) {
    const fieldContext = { owner, path: [...path, name], kept }
    put(oddFields, name, kept(fieldContext.path) ? value : toldOf(mix, value, fieldContext))
  }
  return withStrangers(mix, oddFields, [owner, ...path])
}

/** Adds an unknown field to some objects, and null for an absent field to some. Changes and returns `told`. */
export function withStrangers(mix: OddMix, told: Json, place: readonly string[]): Json {
  const random = randomAt(mix.seed, 'strangers', ...place)
  if (random.chance(mix.share)) put(told, random.pick(strangeNames), random.pick(strangeValues))
  const absent = random.pick(optional)
  if (random.chance(mix.share) && !Object.hasOwn(told, absent)) put(told, absent, null)
  return told
}

/** Returns a value in the odd dialect. Changes nested values first, so that an odd object can contain odd fields. */
function toldOf(mix: OddMix, value: unknown, place: Place): unknown {
  const inner = Array.isArray(value)
    ? value.map((entry, at) => toldOf(mix, entry, { ...place, path: [...place.path, String(at)] }) ?? null)
    : isJson(value)
      ? fieldsOf(mix, value, place)
      : value
  if (holdsKept(value, place)) return inner
  const random = randomAt(mix.seed, place.owner, ...place.path)
  if (!random.chance(mix.share)) return inner
  const candidates = mix.enabled.filter(({ fits }) => fits(value))
  const oddity = random.pick(candidates.length > 0 ? candidates : oddities.filter(({ fits }) => fits(value)))
  return oddity.make(inner as never, random)
}

/** True if the object directly contains a field that must stay unchanged. Such an object keeps its shape. */
const holdsKept = (value: unknown, { path, kept }: Place): boolean =>
  isJson(value) && Object.keys(value).some((name) => kept([...path, name]))
