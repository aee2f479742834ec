import type { ResponseInfo } from './dialect'
import { type OddMix, oddObject, type ProtectedTest } from './odd-object'
import { isJson, type Json, randomAt } from './odd-values'

const tokens = new Set(['paykeys.reveal paykey', 'bridge.initialize bridge_token'])

/**
 * Returns the test for fields that stay unchanged: tokens, and the object's own id. An object without an id (such as a review) keeps the id
 * of the object inside it.
 */
const makeProtectedTest =
  (operation: string, data: Json): ProtectedTest =>
  (path) =>
    tokens.has(`${operation} ${path.join('.')}`) || (path.at(-1) === 'id' && path.length === (Object.hasOwn(data, 'id') ? 1 : 2))

function findOwnerId(data: Json): string {
  const objectWithId = [data, ...Object.values(data)].find(
    (each): each is Json & { id: string } => isJson(each) && typeof each.id === 'string',
  )
  return objectWithId?.id ?? ''
}

function makeUnreadableRow(random: ReturnType<typeof randomAt>, row: Json): unknown {
  const { id: _id, ...rest } = row
  return random.pick([null, 'a row', 7, rest, { ...rest, id: 'no-uuid' }, { ...rest, id: null }, [row]])
}

/** Returns one object of a response in the odd dialect. Replaces about 1 % of list items with garbage. */
export function oddData(mix: OddMix, data: Json, { operation, answers }: ResponseInfo): unknown {
  const owner = findOwnerId(data)
  const oddRow = oddObject(mix, owner, data, makeProtectedTest(operation, data))
  const random = randomAt(mix.seed, 'row', owner)
  return answers === 'array' && random.chance(0.01) ? makeUnreadableRow(random, oddRow) : oddRow
}
