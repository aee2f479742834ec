import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '@/sandbox/store/random'
import type { KnownObjects } from './known-objects'
import type { ServiceLine } from './service-line'
import { isAcknowledged, type Sent } from './write'
import { nextWrite } from './write-mix'

/** What is written and how fast. `nextKey` gives each write a key of its own. */
export type LoadPlan = { line: ServiceLine; known: KnownObjects; random: Random; perSecond: number; nextKey: () => string }

/**
 * A load under way. `end` stops it and gives everything that was sent, once each write has its answer or has lost its line. `acknowledged` resolves at the
 * first write that is acknowledged.
 */
export type Load = { acknowledged: Promise<void>; end: () => Promise<{ sent: Sent[]; seconds: number }> }

// Beyond that a slow machine would only lengthen the queue of writes that have not left yet.
const mostUnderWay = 24

/**
 * Writes at a steady rate in small bursts, so that several writes are under way at any moment; a process that is slower than the rate is given
 * no more than it can hold.
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
      const wanted = Math.floor(((performance.now() - began) / 1000) * perSecond)
      while (sent.length < wanted && underWay < mostUnderWay) running.push(sendOne())
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
