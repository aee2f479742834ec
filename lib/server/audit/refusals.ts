import 'server-only'
import { cache } from 'react'
import { AppError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import { errorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'
import { shared } from '@/lib/server/shared'
import { beforeExit } from '@/lib/server/store/store'
import { type AuditEntry, type Refusable, type Refusal, recordAudit, refusalEvents } from './chain'
import { type Client, type Doer, doneBy } from './client'

/** Refusals are told one by one only as far as this in a window (milliseconds); the rest of the window is told as numbers when it ends. */
const windowLength = 60_000

/** What one sort of refusal may take of a window: rows of its own for equal ones, kinds for one group, and kinds in all. */
type Bounds = { rows: number; kinds: number; all: number }

/** The row of one refusal, and the row of several. */
type RefusalEntry = AuditEntry & { refusal: Refusal }
type CountedEntry = RefusalEntry & { repeated: number }

type Kind = { entry: RefusalEntry; group: string; told: number; counted: number }
type Window = { kinds: Map<string, Kind>; others: Map<Refusal, number>; close: () => void }

type Windows = { open: Window | undefined; ending: boolean }
const windows = shared<Windows>('refusals', () => ({ open: undefined, ending: false }))

function openWindow(): Window {
  let close = () => {}
  const closed = new Promise<void>((resolve) => {
    close = resolve
  })
  const late = setTimeout(() => window.close(), windows.ending ? 0 : windowLength)
  late.unref()
  const window: Window = {
    kinds: new Map(),
    others: new Map(),
    close: () => {
      clearTimeout(late)
      if (windows.open === window) windows.open = undefined
      close()
    },
  }
  windows.open = window
  beforeExit(closed.then(() => write(window)))
  return window
}

/** What is true of every refusal of a kind: who, from which network; not of what. */
const inCommon = ({ code, actor, session, network, refusal }: RefusalEntry): RefusalEntry => ({
  code,
  actor,
  refusal,
  ...(session ? { session } : {}),
  ...(network ? { network } : {}),
})

const more = 'refusals.others.counted' as const

/** The rows a window leaves: for each kind how often it came again, and how often what was not even told apart. */
function rowsOf({ kinds, others }: Window): CountedEntry[] {
  const again = [...kinds.values()].filter(({ counted }) => counted > 0)
  return [
    ...again.map(({ entry, counted }) => ({ ...inCommon(entry), ...(entry.actor === null ? { code: more } : {}), repeated: counted })),
    ...[...others].map(([refusal, repeated]) => ({ code: more, actor: null, refusal, repeated })),
  ]
}

/** What cannot be written is counted on in the next window, within its bounds. */
async function write(window: Window): Promise<void> {
  const left = rowsOf(window)
  try {
    // One by one: whoever writes meanwhile waits for a row and not for all of them.
    for (let row = left[0]; row; left.shift(), row = left[0]) await recordAudit(row)
  } catch (error) {
    log.error({ event: 'audit.refusals_not_written', code: errorCode(error) })
    const { others } = windows.open ?? openWindow()
    for (const { refusal, repeated } of left) count(others, refusal, repeated)
  }
}

const count = <K>(counts: Map<K, number>, key: K, times = 1) => counts.set(key, (counts.get(key) ?? 0) + times)

/** A kind that was not seen in this window yet, unless the window has no room for it. */
function newKind(window: Window, key: string, entry: RefusalEntry, group: string, bounds: Bounds): Kind | null {
  const own = [...window.kinds.values()].filter((kind) => kind.group === group).length
  if (window.kinds.size >= bounds.all || own >= bounds.kinds) return null
  const kind = { entry, group, told: 0, counted: 0 }
  window.kinds.set(key, kind)
  return kind
}

/** Counts a refusal of a group (a person, or a network nobody signed in from) and says whether it is to have a row of its own now. */
function countRefusal(entry: RefusalEntry, group: string, bounds: Bounds): boolean {
  const window = windows.open ?? openWindow()
  // Without a session only the network is known, and a forgotten tab sends many different requests.
  const key = `${group} ${entry.actor === null ? entry.refusal : entry.code}`
  const kind = window.kinds.get(key) ?? newKind(window, key, entry, group, bounds)
  if (!kind) count(window.others, entry.refusal)
  else if (kind.told >= bounds.rows) kind.counted += 1
  else kind.told += 1
  return kind !== null && kind.counted === 0
}

/** Ends the window now, and every later one at once: the process is about to stop. */
export function endRefusalWindows(): void {
  windows.ending = true
  windows.open?.close()
}

/** The one refusal of an object that is not there, or is not to be seen. */
export const nowhere = 'There is no such object in your accounts. Check the ID'

/** An object of an account the person holds no role for: refused as if it did not exist, but a denial, which goes on record. */
export class HiddenObject extends AppError {
  constructor() {
    super('service_not_found', nowhere)
  }
}

/** What somebody asked for, as far as it was known when it was refused: words of ours and checked ids, no text of the request. */
export type Asking = {
  name: Refusable
  actor?: Doer | null
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

/** What was refused while one page was drawn: its parts ask the same several times, and somebody opened it once. Empty at each call in a route handler. */
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
