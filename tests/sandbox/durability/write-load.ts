import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '@/sandbox/store/random'
import type { KnownObjects } from './known-objects'
import type { ServiceConnectionPool } from './service-connection-pool'
import { isAcknowledged, type SentWrite } from './write'
import { pickNextWrite } from './write-mix'

/**
 * Input for `startWriteLoad`: the connections, the objects to change, and the number of writes per
 * second. `nextKey` returns a new Idempotency-Key.
 */
export type WriteLoadPlan = {
  line: ServiceConnectionPool
  known: KnownObjects
  random: Random
  perSecond: number
  nextKey: () => string
}

/**
 * A running load. `end` stops it and returns all writes, after each got its response or lost its
 * connection. `acknowledged` resolves when the first write is acknowledged.
 */
export type RunningWriteLoad = {
  acknowledged: Promise<void>
  end: () => Promise<{ sent: SentWrite[]; seconds: number }>
}

// Maximum number of running writes. On a slow machine, more would only wait longer.
const maxRunningWrites = 24

/**
 * Sends writes at a steady rate, in small groups, so that several always run at the same time. If
 * the sandbox is slow and the maximum number of writes is running, waits until some have ended.
 */
export function startWriteLoad({
  line,
  known,
  random,
  perSecond,
  nextKey,
}: WriteLoadPlan): RunningWriteLoad {
  const sentWrites: SentWrite[] = []
  const runningWrites: Promise<void>[] = []
  let hasEnded = false
  let runningWriteCount = 0
  let resolveFirstAcknowledged = () => {}
  const firstAcknowledgedPromise = new Promise<void>((resolve) => {
    resolveFirstAcknowledged = resolve
  })
  const startedAt = performance.now()
  const sendNextWrite = async () => {
    const write = pickNextWrite({ known, random, key: nextKey() })
    const sentWrite: SentWrite = { write, answer: undefined }
    sentWrites.push(sentWrite)
    runningWriteCount += 1
    const writeResponse = await line.send(write)
    runningWriteCount -= 1
    sentWrite.answer = writeResponse
    if (isAcknowledged(writeResponse)) resolveFirstAcknowledged()
    if (writeResponse) known.learn(write, writeResponse)
  }
  const sendLoopPromise = (async () => {
    while (!hasEnded) {
      const targetWriteCount = Math.floor(((performance.now() - startedAt) / 1000) * perSecond)
      while (sentWrites.length < targetWriteCount && runningWriteCount < maxRunningWrites)
        runningWrites.push(sendNextWrite())
      await pause(1_000 * (random.int(2, 8) / perSecond))
    }
  })()
  const endLoad = async () => {
    hasEnded = true
    const seconds = (performance.now() - startedAt) / 1000
    await sendLoopPromise
    await Promise.all(runningWrites)
    return { sent: sentWrites, seconds }
  }
  return { acknowledged: firstAcknowledgedPromise, end: endLoad }
}
