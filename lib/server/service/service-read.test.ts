import { expect, test } from 'vitest'
import { mapLimited, maxParallelCalls } from './service-read'

function createHeldWork() {
  const ends: ((value: string) => void)[] = []
  const startedItems: number[] = []
  const work = (thing: number) => {
    startedItems.push(thing)
    return new Promise<string>((resolve) => ends.push(resolve))
  }
  return { begun: startedItems, ends, work }
}

const waitOneTurn = () => new Promise((resolve) => setImmediate(resolve))
const items = Array.from({ length: 2 * maxParallelCalls }, (_, at) => at)

test('results have the order of the input, whichever ends first', async () => {
  const { begun, ends, work } = createHeldWork()
  const results = mapLimited(items, work)
  await waitOneTurn()
  expect(begun).toEqual(items.slice(0, maxParallelCalls))
  ends[2]?.('2')
  await waitOneTurn()
  expect(begun).toEqual(items.slice(0, maxParallelCalls + 1))
  ends[0]?.('0')
  for (const end of [1, 3, 4, 5, 6, 7]) {
    ends[end]?.(String(end))
    await waitOneTurn()
  }
  expect(await results).toEqual(items.map(String))
})

test('a failure throws at once and starts no further work', async () => {
  const begun: number[] = []
  const work = async (thing: number) => {
    begun.push(thing)
    if (thing === 1) throw new Error('refused')
    await waitOneTurn()
  }
  await expect(mapLimited(items, work)).rejects.toThrow('refused')
  await waitOneTurn()
  await waitOneTurn()
  // The last of these items was started before the failure was thrown.
  expect(begun).toEqual(items.slice(0, maxParallelCalls + 1))
})
