import {
  createSeededRandom,
  isJsonObject,
  type JsonObject,
  type Oddity,
  oddities,
} from './odd-values'

export type OddDialectSettings = { seed: number; share: number; enabled: readonly Oddity[] }

export function makeOddSettings(seed: number): OddDialectSettings {
  const oddShare = 0.1 + createSeededRandom(seed, 'share').next() * 0.1
  return {
    seed,
    share: oddShare,
    enabled: oddities.filter(({ name }) => createSeededRandom(seed, 'mix', name).chance(0.5)),
  }
}

/** Some responses omit these fields. The odd dialect sometimes adds one with the value null. */
const omittableFieldNames = [
  'code',
  'processed_at',
  'effective_at',
  'balance',
  'expires_at',
  'related_payments',
  'documents',
  'metadata',
  'messages',
]

/**
 * Names of fields that the odd dialect adds. Some are also names of built-in JavaScript properties,
 * to test careless clients.
 */
const unknownFieldNames = [
  'internal_score',
  'x-trace',
  'größe',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'length',
  'id ',
  '',
  '0',
  'then',
]

const unknownFieldValues = [
  1.5,
  true,
  null,
  'new',
  'a long text of a field that nobody knows '.repeat(60),
  { nested: { deeper: [{ deepest: null }] } },
  [1, 'two', { three: 3 }, [4]],
]

const defineField = (object: JsonObject, name: string, value: unknown): void => {
  Object.defineProperty(object, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  })
}

/** True for an id or token that a client needs for its next request. */
export type ProtectedFieldPredicate = (path: readonly string[]) => boolean

type FieldContext = { owner: string; path: readonly string[]; kept: ProtectedFieldPredicate }

/**
 * Returns the object with some odd fields. The changes depend only on the seed, the object's id and
 * each field's path, so an object looks the same in a list and in its own response.
 */
export function toOddObject(
  settings: OddDialectSettings,
  objectId: string,
  object: JsonObject,
  isProtected: ProtectedFieldPredicate,
): JsonObject {
  return makeOddFields(settings, object, { owner: objectId, path: [], kept: isProtected })
}

function makeOddFields(
  settings: OddDialectSettings,
  object: JsonObject,
  { owner, path, kept }: FieldContext,
): JsonObject {
  const oddFields: JsonObject = {}
  for (const [name, value] of Object.entries(object)) {
    const fieldContext = { owner, path: [...path, name], kept }
    defineField(
      oddFields,
      name,
      kept(fieldContext.path) ? value : makeOddValue(settings, value, fieldContext),
    )
  }
  return addUnknownFields(settings, oddFields, [owner, ...path])
}

/** Changes the object in place. */
export function addUnknownFields(
  settings: OddDialectSettings,
  told: JsonObject,
  seedPath: readonly string[],
): JsonObject {
  const random = createSeededRandom(settings.seed, 'strangers', ...seedPath)
  if (random.chance(settings.share))
    defineField(told, random.pick(unknownFieldNames), random.pick(unknownFieldValues))
  const omittedFieldName = random.pick(omittableFieldNames)
  if (random.chance(settings.share) && !Object.hasOwn(told, omittedFieldName))
    defineField(told, omittedFieldName, null)
  return told
}

/** Converts nested values first, so that a replacement can contain odd fields too. */
function makeOddValue(
  settings: OddDialectSettings,
  value: unknown,
  context: FieldContext,
): unknown {
  const valueWithOddParts = Array.isArray(value)
    ? value.map(
        (entry, at) =>
          makeOddValue(settings, entry, { ...context, path: [...context.path, String(at)] }) ??
          null,
      )
    : isJsonObject(value)
      ? makeOddFields(settings, value, context)
      : value
  if (hasProtectedField(value, context)) return valueWithOddParts
  const random = createSeededRandom(settings.seed, context.owner, ...context.path)
  if (!random.chance(settings.share)) return valueWithOddParts
  const fittingOddities = settings.enabled.filter(({ fits }) => fits(value))
  const oddity = random.pick(
    fittingOddities.length > 0 ? fittingOddities : oddities.filter(({ fits }) => fits(value)),
  )
  return oddity.make(valueWithOddParts as never, random)
}

/**
 * True for an object that must not be replaced, because a replacement could lose its protected
 * field.
 */
const hasProtectedField = (value: unknown, { path, kept }: FieldContext): boolean =>
  isJsonObject(value) && Object.keys(value).some((name) => kept([...path, name]))
