import { type Kept, type OddMix, oddObject } from './odd-object'
import { randomAt } from './odd-random'
import { isJson, type Json } from './odd-values'

/** What an answer is about: its operation, and whether its data is one object or an item of a list. */
export type OddAbout = { operation: string; answers: 'object' | 'array' }

const tokens = new Set(['paykeys.reveal paykey', 'bridge.initialize bridge_token'])

/** An object's own id stays. One that has none is told with the object it is about, as a review is: then that one's id does. */
const keptIn =
  (operation: string, data: Json): Kept =>
  (path) =>
    tokens.has(`${operation} ${path.join('.')}`) || (path.at(-1) === 'id' && path.length === (Object.hasOwn(data, 'id') ? 1 : 2))

/** The id of the object, or of the one it is about. What says neither, as settings do, reads the same for everybody. */
function ownerOf(data: Json): string {
  const named = [data, ...Object.values(data)].find((each): each is Json & { id: string } => isJson(each) && typeof each.id === 'string')
  return named?.id ?? ''
}

/** One row in a hundred is one of which nobody can say what it is. */
function unreadable(random: ReturnType<typeof randomAt>, row: Json): unknown {
  const { id: _id, ...rest } = row
  return random.pick([null, 'a row', 7, rest, { ...rest, id: 'no-uuid' }, { ...rest, id: null }, [row]])
}

/** The data of an answer as the odd dialect tells it, object by object; an item of a list may be none at all. */
export function oddData(mix: OddMix, data: Json, { operation, answers }: OddAbout): unknown {
  const owner = ownerOf(data)
  const told = oddObject(mix, owner, data, keptIn(operation, data))
  const random = randomAt(mix.seed, 'row', owner)
  return answers === 'array' && random.chance(0.01) ? unreadable(random, told) : told
}
