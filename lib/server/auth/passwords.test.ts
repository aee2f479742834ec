import { expect, test } from 'vitest'
import { runInHashQueue } from './passwords'

/**
 * Returns a test of the hash queue. `ask` queues work, which runs until `drain` ends it. `began`
 * lists the started work in order.
 */
function createHashQueueHarness() {
  const startedNames: string[] = []
  const endByName = new Map<string, () => void>()
  const outcomeByName = new Map<string, Promise<string>>()
  const queueWork = (name: string, requester: { known: boolean; key: string }) => {
    const work = () => {
      startedNames.push(name)
      return new Promise<string>((resolve) => endByName.set(name, () => resolve('done')))
    }
    outcomeByName.set(
      name,
      runInHashQueue(requester, work).catch((error) => `${error.code} ${error.retryAfter}`),
    )
  }
  /** Ends the started work, and then the work that starts because of that, until none is left. */
  const endAllWork = async () => {
    for (;;) {
      // Lets resolved promises continue before the next check.
      await new Promise((looked) => setImmediate(looked))
      const [first] = endByName
      if (!first) return
      endByName.delete(first[0])
      first[1]()
      await outcomeByName.get(first[0])
    }
  }
  return {
    began: startedNames,
    ask: queueWork,
    drain: endAllWork,
    outcome: (name: string) => outcomeByName.get(name),
  }
}

const createNetworkRequester = (key: string) => ({ known: false, key })

test('two hashes run at once, twenty wait, and the next one is refused with a retry time', async () => {
  const { ask, began, drain, outcome } = createHashQueueHarness()
  for (let n = 0; n < 23; n += 1) ask(`n${n}`, createNetworkRequester('a'))
  expect(began).toEqual(['n0', 'n1'])
  expect(await outcome('n22')).toBe('unavailable 2')
  await drain()
  expect(began).toHaveLength(22)
})

test('a network that fills the queue only delays itself', async () => {
  const { ask, began, drain, outcome } = createHashQueueHarness()
  for (let n = 0; n < 22; n += 1) ask(`a${n}`, createNetworkRequester('a'))
  ask('b0', createNetworkRequester('b'))
  expect(await outcome('a21')).toBe('unavailable 2')
  await drain()
  expect(began.indexOf('b0')).toBe(3)
})

test('a full queue of different networks refuses the next one with a retry time', async () => {
  const { ask, drain, outcome } = createHashQueueHarness()
  for (let n = 0; n < 22; n += 1) ask(`n${n}`, createNetworkRequester(`network ${n}`))
  ask('late', createNetworkRequester('late'))
  expect(await outcome('late')).toBe('unavailable 2')
  await drain()
})

test('a known device goes before any number of other requests', async () => {
  const { ask, began, drain } = createHashQueueHarness()
  for (let n = 0; n < 40; n += 1) ask(`n${n}`, createNetworkRequester(`network ${n}`))
  ask('known', { known: true, key: 'device' })
  await drain()
  expect(began.indexOf('known')).toBe(2)
})

test('failed work frees its slot', async () => {
  for (let n = 0; n < 5; n += 1)
    await expect(
      runInHashQueue(createNetworkRequester('a'), () => Promise.reject(new Error('no'))),
    ).rejects.toThrow('no')
  expect(await runInHashQueue(createNetworkRequester('a'), () => Promise.resolve('done'))).toBe(
    'done',
  )
})
