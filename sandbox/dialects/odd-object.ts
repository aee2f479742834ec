import { randomAt } from './odd-random'
import type { Oddity } from './odd-texts'
import { isJson, type Json, oddities } from './odd-values'

/** What drives the oddness of one world; another seed touches other fields in other ways. */
export type OddMix = { seed: number; share: number; enabled: readonly Oddity[] }

/** The mix of a seed: it touches a tenth to a fifth of the fields, in about half of all ways there are. */
export function mixOf(seed: number): OddMix {
  const share = 0.1 + randomAt(seed, 'share').next() * 0.1
  return { seed, share, enabled: oddities.filter(({ name }) => randomAt(seed, 'mix', name).chance(0.5)) }
}

/** Fields that are optional somewhere: now and then one comes as null where it would be absent. */
const optional = ['code', 'processed_at', 'effective_at', 'balance', 'expires_at', 'related_payments', 'documents', 'metadata', 'messages']

/** Names of fields nobody knows; some are names that every object of JavaScript has. */
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

/** What nobody can act without: the objects' own ids and the tokens that are given to act with. */
export type Kept = (path: readonly string[]) => boolean

type Place = { owner: string; path: readonly string[]; kept: Kept }

/**
 * An object as the odd dialect tells it. What a field becomes depends on the seed, on whose field it is (`owner`) and on the field's path alone, so
 * that the same object reads the same way twice, in a list as on its own.
 */
export function oddObject(mix: OddMix, owner: string, object: Json, kept: Kept): Json {
  return fieldsOf(mix, object, { owner, path: [], kept })
}

function fieldsOf(mix: OddMix, object: Json, { owner, path, kept }: Place): Json {
  const told: Json = {}
  for (const [name, value] of Object.entries(object)) {
    const place = { owner, path: [...path, name], kept }
    put(told, name, kept(place.path) ? value : toldOf(mix, value, place))
  }
  return withStrangers(mix, told, [owner, ...path])
}

/** The same object, in some places with fields nobody knows, or with a null where nothing was. */
export function withStrangers(mix: OddMix, told: Json, place: readonly string[]): Json {
  const random = randomAt(mix.seed, 'strangers', ...place)
  if (random.chance(mix.share)) put(told, random.pick(strangeNames), random.pick(strangeValues))
  const absent = random.pick(optional)
  if (random.chance(mix.share) && !Object.hasOwn(told, absent)) put(told, absent, null)
  return told
}

/** The parts are told first, so that an odd whole has odd parts. */
function toldOf(mix: OddMix, value: unknown, place: Place): unknown {
  const inner = Array.isArray(value)
    ? value.map((entry, at) => toldOf(mix, entry, { ...place, path: [...place.path, String(at)] }) ?? null)
    : isJson(value)
      ? fieldsOf(mix, value, place)
      : value
  if (holdsKept(value, place)) return inner
  const random = randomAt(mix.seed, place.owner, ...place.path)
  if (!random.chance(mix.share)) return inner
  const ways = mix.enabled.filter(({ fits }) => fits(value))
  const way = random.pick(ways.length > 0 ? ways : oddities.filter(({ fits }) => fits(value)))
  return way.make(inner as never, random)
}

/** An object that holds what is kept keeps its own shape. */
const holdsKept = (value: unknown, { path, kept }: Place): boolean =>
  isJson(value) && Object.keys(value).some((name) => kept([...path, name]))
