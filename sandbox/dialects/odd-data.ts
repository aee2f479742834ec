import type { ResponseInfo } from './dialect'
import { type OddDialectSettings, type ProtectedFieldPredicate, toOddObject } from './odd-object'
import { createSeededRandom, isJsonObject, type JsonObject } from './odd-values'

const tokenFieldKeys = new Set(['paykeys.reveal paykey', 'bridge.initialize bridge_token'])

/**
 * Returns true for fields that must not become odd: tokens and the object's own id. If the object
 * has no id, as a review, the id of an object directly inside it is protected instead.
 */
const makeProtectedFieldPredicate =
  (operation: string, data: JsonObject): ProtectedFieldPredicate =>
  (path) =>
    tokenFieldKeys.has(`${operation} ${path.join('.')}`) ||
    (path.at(-1) === 'id' && path.length === (Object.hasOwn(data, 'id') ? 1 : 2))

function findObjectId(data: JsonObject): string {
  const objectWithId = [data, ...Object.values(data)].find(
    (each): each is JsonObject & { id: string } =>
      isJsonObject(each) && typeof each.id === 'string',
  )
  return objectWithId?.id ?? ''
}

function makeUnreadableRow(
  random: ReturnType<typeof createSeededRandom>,
  row: JsonObject,
): unknown {
  const { id: _id, ...rest } = row
  return random.pick([
    null,
    'a row',
    7,
    rest,
    { ...rest, id: 'no-uuid' },
    { ...rest, id: null },
    [row],
  ])
}

/** The odd dialect's data is irregular on purpose. About 1 % of list items become garbage. */
export function toOddData(
  settings: OddDialectSettings,
  data: JsonObject,
  { operation, answers }: ResponseInfo,
): unknown {
  const objectId = findObjectId(data)
  const oddObject = toOddObject(
    settings,
    objectId,
    data,
    makeProtectedFieldPredicate(operation, data),
  )
  const random = createSeededRandom(settings.seed, 'row', objectId)
  return answers === 'array' && random.chance(0.01)
    ? makeUnreadableRow(random, oddObject)
    : oddObject
}
