import { expect, test } from 'vitest'
import { callsAtOnce, mapLimited } from './service-read'

function heldWork() {
  const ends: ((value: string) => void)[] = []
  const begun: number[] = []
  const work = (thing: number) => {
    begun.push(thing)
    return new Promise<string>((resolve) => ends.push(resolve))
  }
  return { begun, ends, work }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))
const things = Array.from({ length: 2 * callsAtOnce }, (_, at) => at)

test('results have the order of the input, whichever ends first', async () => {
  const { begun, ends, work } = heldWork()
  const results = mapLimited(things, work)
  await turn()
  expect(begun).toEqual(things.slice(0, callsAtOnce))
  ends[2]?.('2')
  await turn()
  expect(begun).toEqual(things.slice(0, callsAtOnce + 1))
  ends[0]?.('0')
  for (const end of [1, 3, 4, 5, 6, 7]) {
    ends[end]?.(String(end))
    await turn()
  }
  expect(await results).toEqual(things.map(String))
})

test('a failure throws at once and starts no further work', async () => {
  const begun: number[] = []
  const work = async (thing: number) => {
    begun.push(thing)
    if (thing === 1) throw new Error('refused')
    await turn()
  }
  await expect(mapLimited(things, work)).rejects.toThrow('refused')
  await turn()
  await turn()
  // The last of these items was started before the failure was thrown.
  expect(begun).toEqual(things.slice(0, callsAtOnce + 1))
})
