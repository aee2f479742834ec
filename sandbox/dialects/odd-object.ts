import { isJson, type Json, type Oddity, oddities, randomAt } from './odd-values'

export type OddMix = { seed: number; share: number; enabled: readonly Oddity[] }

export function makeOddMix(seed: number): OddMix {
  const oddShare = 0.1 + randomAt(seed, 'share').next() * 0.1
  return { seed, share: oddShare, enabled: oddities.filter(({ name }) => randomAt(seed, 'mix', name).chance(0.5)) }
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

const defineField = (object: Json, name: string, value: unknown): void => {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
}

/** True for a field that must stay unchanged: an id or token that a client needs for its next request. */
export type ProtectedTest = (path: readonly string[]) => boolean

type FieldContext = { owner: string; path: readonly string[]; kept: ProtectedTest }

/**
 * Returns the object with odd fields. The changes depend only on the seed, the `owner` and each field's path, so an object is the same in a
 * list and in its own response.
 */
export function oddObject(mix: OddMix, owner: string, object: Json, kept: ProtectedTest): Json {
  return makeOddFields(mix, object, { owner, path: [], kept })
}

function makeOddFields(mix: OddMix, object: Json, { owner, path, kept }: FieldContext): Json {
  const oddFields: Json = {}
  for (const [name, value] of Object.entries(object)) {
    const fieldContext = { owner, path: [...path, name], kept }
    defineField(oddFields, name, kept(fieldContext.path) ? value : makeOddValue(mix, value, fieldContext))
  }
  return addUnknownFields(mix, oddFields, [owner, ...path])
}

/** Adds an unknown field to some objects, and null for an absent field to some. Changes and returns `told`. */
export function addUnknownFields(mix: OddMix, told: Json, seedPath: readonly string[]): Json {
  const random = randomAt(mix.seed, 'strangers', ...seedPath)
  if (random.chance(mix.share)) defineField(told, random.pick(strangeNames), random.pick(strangeValues))
  const absent = random.pick(optional)
  if (random.chance(mix.share) && !Object.hasOwn(told, absent)) defineField(told, absent, null)
  return told
}

/** Returns a value in the odd dialect. Changes nested values first, so that an odd object can contain odd fields. */
function makeOddValue(mix: OddMix, value: unknown, context: FieldContext): unknown {
  const oddInner = Array.isArray(value)
    ? value.map((entry, at) => makeOddValue(mix, entry, { ...context, path: [...context.path, String(at)] }) ?? null)
    : isJson(value)
      ? makeOddFields(mix, value, context)
      : value
  if (hasProtectedField(value, context)) return oddInner
  const random = randomAt(mix.seed, context.owner, ...context.path)
  if (!random.chance(mix.share)) return oddInner
  const candidates = mix.enabled.filter(({ fits }) => fits(value))
  const oddity = random.pick(candidates.length > 0 ? candidates : oddities.filter(({ fits }) => fits(value)))
  return oddity.make(oddInner as never, random)
}

/** True if the object directly contains a field that must stay unchanged. Such an object keeps its shape. */
const hasProtectedField = (value: unknown, { path, kept }: FieldContext): boolean =>
  isJson(value) && Object.keys(value).some((name) => kept([...path, name]))
