import { expect, test } from 'vitest'
import { mapLimited, maxParallelCalls } from './service-read'

function createControllableWork() {
  const resolveFunctions: ((value: string) => void)[] = []
  const startedItems: number[] = []
  const work = (item: number) => {
    startedItems.push(item)
    return new Promise<string>((resolve) => resolveFunctions.push(resolve))
  }
  return { begun: startedItems, ends: resolveFunctions, work }
}

const waitForNextTurn = () => new Promise((resolve) => setImmediate(resolve))
const items = Array.from({ length: 2 * maxParallelCalls }, (_, at) => at)

test('results have the order of the input, whichever ends first', async () => {
  const { begun, ends, work } = createControllableWork()
  const results = mapLimited(items, work)
  await waitForNextTurn()
  expect(begun).toEqual(items.slice(0, maxParallelCalls))
  ends[2]?.('2')
  await waitForNextTurn()
  expect(begun).toEqual(items.slice(0, maxParallelCalls + 1))
  ends[0]?.('0')
  for (const end of [1, 3, 4, 5, 6, 7]) {
    ends[end]?.(String(end))
    await waitForNextTurn()
  }
  expect(await results).toEqual(items.map(String))
})

test('a failure throws at once and starts no further work', async () => {
  const itemsStartedBeforeFailure: number[] = []
  const failingWork = async (item: number) => {
    itemsStartedBeforeFailure.push(item)
    if (item === 1) throw new Error('refused')
    await waitForNextTurn()
  }
  await expect(mapLimited(items, failingWork)).rejects.toThrow('refused')
  await waitForNextTurn()
  await waitForNextTurn()
  // Four items run at once. When item 1 failed, one more item started before the error arrived and
  // the queue was cleared.
  expect(itemsStartedBeforeFailure).toEqual(items.slice(0, maxParallelCalls + 1))
})
