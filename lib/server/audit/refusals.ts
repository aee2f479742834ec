import 'server-only'
import { cache } from 'react'
import { AppError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import { HiddenObject } from '@/lib/server/hidden-object'
import { beforeExit } from '@/lib/server/last-writes'
import { log } from '@/lib/server/log'
import type { Actor } from '@/lib/server/session-rows'
import { recordAudit } from './chain'
import { type Client, doneBy } from './client'
import { type Refusable, type Refusal, refusalEvents } from './codes'
import { type Bounds, countRefusal, type RefusalEntry } from './fold'

/** What somebody asked for, as far as it was known when it was refused: words of ours and checked ids, no text of the request. */
export type Asking = {
  name: Refusable
  actor?: Actor | null
  /** Where it came from, for a request nobody is signed in behind; of a person the actor says it. */
  client?: Client
  environment?: Environment
  /** The bare id of the account. */
  account?: string | null
  target?: string | null
}

/** A person at work is told row by row; only a program in their session is refused as often as this in a minute. */
const ofPerson: Bounds = { rows: 60, kinds: 400, all: 2000 }
/** Anybody can be refused without a session, so those rows are few: they queue for the same lock as every write. */
const ofNobody: Bounds = { rows: 1, kinds: 40, all: 200 }

const recorded = new WeakSet<AppError>()

/** What was refused while one page was drawn: its parts ask the same several times, and somebody opened it once. Empty anew in a route handler. */
const refusedOnPage = cache(() => new Set<string>())

function isFirstOnPage({ code, account, target }: RefusalEntry): boolean {
  const key = `${code} ${account} ${target}`
  const before = refusedOnPage()
  return !before.has(key) && before.add(key).has(key)
}

/** The refusal in a thrown thing that says no to who asks, and not to what was asked; null in every other. */
export function refusalIn(error: unknown): Refusal | null {
  if (error instanceof HiddenObject) return 'forbidden'
  return error instanceof AppError && Object.hasOwn(refusalEvents, error.code) ? (error.code as Refusal) : null
}

/** Marks a refusal that has a row of another kind already. Gives it back, to be thrown. */
export function onRecordAlready(error: AppError): AppError {
  recorded.add(error)
  return error
}

const entryOf = (refusal: Refusal, { name, actor, client, environment, account, target }: Asking): RefusalEntry => ({
  code: `${name}.${refusalEvents[refusal]}`,
  ...(actor ? doneBy(actor) : { actor: null, ...client }),
  refusal,
  ...(environment ? { environment } : {}),
  ...(account ? { account } : {}),
  ...(target ? { target } : {}),
})

const boundsOf = ({ actor, refusal }: RefusalEntry): Bounds => {
  if (actor === null) return ofNobody
  return refusal === 'too_many' ? { ...ofPerson, rows: 1 } : ofPerson
}

let inLine: Promise<void> = Promise.resolve()
let waiting = 0

/**
 * Writes a row nobody waits for, one after the other: however many come, they hold one connection to the store. What has no place in the line, or
 * could not be written, is counted.
 */
function writeInLine(entry: RefusalEntry, group: string): void {
  const countInstead = () => void countRefusal(entry, group, ofNobody)
  if (waiting >= ofNobody.all) {
    countInstead()
    return
  }
  waiting += 1
  inLine = inLine
    .then(() => recordAudit(entry))
    .catch(countInstead)
    .finally(() => {
      waiting -= 1
    })
  beforeExit(inLine)
}

/**
 * Puts a thrown refusal on record, once however often it is thrown on; anything else thrown is left alone. Of a signed-in person the row is written
 * before this ends, and where it cannot be written `unavailable` is thrown. Of nobody it is written as soon as can be: a store that is away must
 * neither delay nor change such an answer.
 */
export async function recordRefusal(error: unknown, asking: Asking): Promise<void> {
  const refusal = refusalIn(error)
  if (!refusal || recorded.has(error as AppError)) return
  recorded.add(error as AppError)
  const entry = entryOf(refusal, asking)
  if (!isFirstOnPage(entry)) return
  const group = entry.actor ?? entry.network ?? 'unknown'
  if (!countRefusal(entry, group, boundsOf(entry))) return
  const { environment } = asking
  log.warn({ event: 'access.denied', operation: asking.name, code: refusal, ...(environment ? { environment } : {}) })
  if (entry.actor === null) return writeInLine(entry, group)
  await recordAudit(entry).catch((cause: unknown) => {
    throw new AppError('unavailable', 'This could not be recorded, so nothing was done. Try again', { cause })
  })
}
