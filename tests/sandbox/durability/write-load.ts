import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '@/sandbox/store/random'
import type { KnownObjects } from './known-objects'
import type { ServiceLine } from './service-line'
import { isAcknowledged, type Sent } from './write'
import { nextWrite } from './write-mix'

/** Input of the load. `nextKey` returns a new Idempotency-Key. */
export type LoadPlan = { line: ServiceLine; known: KnownObjects; random: Random; perSecond: number; nextKey: () => string }

/**
 * A running load. `end` stops it and returns all writes, after each got its response or lost its connection. `acknowledged` resolves when
 * the first write is acknowledged.
 */
export type Load = { acknowledged: Promise<void>; end: () => Promise<{ sent: Sent[]; seconds: number }> }

// Maximum number of running writes. On a slow machine, more would only wait longer.
const mostUnderWay = 24

/**
 * Sends writes at a steady rate, in small groups, so that several always run at once. If the process is slow, it waits while the maximum of
 * writes is running.
 */
export function startLoad({ line, known, random, perSecond, nextKey }: LoadPlan): Load {
  const sent: Sent[] = []
  const running: Promise<void>[] = []
  let ended = false
  let underWay = 0
  let acknowledge = () => {}
  const acknowledged = new Promise<void>((resolve) => {
    acknowledge = resolve
  })
  const began = performance.now()
  const sendOne = async () => {
    const write = nextWrite({ known, random, key: nextKey() })
    const one: Sent = { write, answer: undefined }
    sent.push(one)
    underWay += 1
    const answer = await line.send(write)
    underWay -= 1
    one.answer = answer
    if (isAcknowledged(answer)) acknowledge()
    if (answer) known.learn(write, answer)
  }
  const going = (async () => {
    while (!ended) {
      const targetCount = Math.floor(((performance.now() - began) / 1000) * perSecond)
      while (sent.length < targetCount && underWay < mostUnderWay) running.push(sendOne())
      await pause(1_000 * (random.int(2, 8) / perSecond))
    }
  })()
  const end = async () => {
    ended = true
    const seconds = (performance.now() - began) / 1000
    await going
    await Promise.all(running)
    return { sent, seconds }
  }
  return { acknowledged, end }
}
