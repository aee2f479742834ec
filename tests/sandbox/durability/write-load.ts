import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '@/sandbox/store/random'
import type { KnownObjects } from './known-objects'
import type { ServiceConnectionPool } from './service-connection-pool'
import { isAcknowledged, type SentWrite } from './write'
import { nextWrite } from './write-mix'

/** Input of the load. `nextKey` returns a new Idempotency-Key. */
export type LoadPlan = { line: ServiceConnectionPool; known: KnownObjects; random: Random; perSecond: number; nextKey: () => string }

/**
 * A running load. `end` stops it and returns all writes, after each got its response or lost its connection. `acknowledged` resolves when
 * the first write is acknowledged.
 */
export type Load = { acknowledged: Promise<void>; end: () => Promise<{ sent: SentWrite[]; seconds: number }> }

// Maximum number of running writes. On a slow machine, more would only wait longer.
const maxRunningWrites = 24

/**
 * Sends writes at a steady rate, in small groups, so that several always run at once. If the process is slow, it waits while the maximum of
 * writes is running.
 */
export function startLoad({ line, known, random, perSecond, nextKey }: LoadPlan): Load {
  const sentWrites: SentWrite[] = []
  const runningWrites: Promise<void>[] = []
  let hasEnded = false
  let runningCount = 0
  let acknowledge = () => {}
  const acknowledged = new Promise<void>((resolve) => {
    acknowledge = resolve
  })
  const startedAt = performance.now()
  const sendOne = async () => {
    const write = nextWrite({ known, random, key: nextKey() })
    const one: SentWrite = { write, answer: undefined }
    sentWrites.push(one)
    runningCount += 1
    const answer = await line.send(write)
    runningCount -= 1
    one.answer = answer
    if (isAcknowledged(answer)) acknowledge()
    if (answer) known.learn(write, answer)
  }
  const sendLoop = (async () => {
    while (!hasEnded) {
      const targetCount = Math.floor(((performance.now() - startedAt) / 1000) * perSecond)
      while (sentWrites.length < targetCount && runningCount < maxRunningWrites) runningWrites.push(sendOne())
      await pause(1_000 * (random.int(2, 8) / perSecond))
    }
  })()
  const end = async () => {
    hasEnded = true
    const seconds = (performance.now() - startedAt) / 1000
    await sendLoop
    await Promise.all(runningWrites)
    return { sent: sentWrites, seconds }
  }
  return { acknowledged, end }
}
