import 'server-only'
import { AppError } from '@/lib/errors'

/**
 * How many files are taken in at once, of one person and in all: enough that six people whose senders stall do not stop a seventh, few enough to
 * stay small in memory. Others wait for a place, a few of each person and not for long (milliseconds), their bytes still in the sender's hands.
 */
const limits = { each: 2, all: 12, waitingEach: 6, wait: 15_000 }

/** Seconds after which a try is worth it: by then a sender that stalls has been cut. */
const retryAfter = 10

type Waiter = { person: string; go: () => void }

const held: string[] = []
const waiting: Waiter[] = []

const countOf = (person: string) => held.filter((each) => each === person).length
const mayHold = (person: string) => held.length < limits.all && countOf(person) < limits.each

const told = (code: 'too_many' | 'unavailable', detail: string) =>
  new AppError(code, `File: ${detail}`, { items: [{ reference: 'File', detail }], retryAfter })

/** Why there is no place: the person's own files are in the way, or everybody's. */
const full = (person: string): AppError =>
  countOf(person) >= limits.each
    ? told('too_many', `not taken: ${limits.each} of your files are still arriving. Wait until they are through, then send this one again`)
    : told('unavailable', `not taken: too many files are arriving at once. Nothing was sent; send it again in ${retryAfter} seconds`)

/** Gives places to those who wait, in their order, passing over whoever holds all of theirs. */
function admit(): void {
  for (const waiter of [...waiting]) {
    if (!mayHold(waiter.person)) continue
    waiting.splice(waiting.indexOf(waiter), 1)
    held.push(waiter.person)
    waiter.go()
  }
}

function waitForPlace(person: string, signal: AbortSignal): Promise<void> {
  if (waiting.filter((each) => each.person === person).length >= limits.waitingEach) return Promise.reject(full(person))
  return new Promise((resolve, reject) => {
    const leave = () => {
      waiting.splice(waiting.indexOf(waiter), 1)
      clearTimeout(late)
      signal.removeEventListener('abort', leave)
      reject(full(person))
    }
    const late = setTimeout(leave, limits.wait)
    const waiter: Waiter = {
      person,
      go: () => {
        clearTimeout(late)
        signal.removeEventListener('abort', leave)
        resolve()
      },
    }
    signal.addEventListener('abort', leave, { once: true })
    waiting.push(waiter)
  })
}

/**
 * Does the work of one upload in a place of its own. Throws `too_many` or `unavailable`, both naming `File` and the seconds to wait, where no
 * place came free in time; nothing was read then.
 */
export async function inSlot<T>(person: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  if (mayHold(person)) held.push(person)
  else await waitForPlace(person, signal)
  try {
    return await work()
  } finally {
    held.splice(held.indexOf(person), 1)
    admit()
  }
}
