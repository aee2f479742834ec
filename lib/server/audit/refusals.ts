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

/** Length of a window (milliseconds). Refusals get one row each up to a limit. The rest of the window is written as counts when it ends. */
const windowLength = 60_000

/** Limits of a window: rows for equal refusals, kinds per group, and kinds in total. */
type Bounds = { rows: number; kinds: number; all: number }

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
  const timer = setTimeout(() => window.close(), windows.ending ? 0 : windowLength)
  timer.unref()
  const window: Window = {
    kinds: new Map(),
    others: new Map(),
    close: () => {
      clearTimeout(timer)
      if (windows.open === window) windows.open = undefined
      close()
    },
  }
  windows.open = window
  beforeExit(closed.then(() => write(window)))
  return window
}

/** Returns the fields that all refusals of a kind share: person and network, but not the object. */
const inCommon = ({ code, actor, session, network, refusal }: RefusalEntry): RefusalEntry => ({
  code,
  actor,
  refusal,
  ...(session ? { session } : {}),
  ...(network ? { network } : {}),
})

const more = 'refusals.others.counted' as const

/** Returns the final rows of a window: the repeats of each kind, and counts of the refusals that had no kind. */
function rowsOf({ kinds, others }: Window): CountedEntry[] {
  const repeatedKinds = [...kinds.values()].filter(({ counted }) => counted > 0)
  return [
    ...repeatedKinds.map(({ entry, counted }) => ({
      ...inCommon(entry),
      ...(entry.actor === null ? { code: more } : {}),
      repeated: counted,
    })),
    ...[...others].map(([refusal, repeated]) => ({ code: more, actor: null, refusal, repeated })),
  ]
}

/** Writes the final rows of a window. Rows that cannot be written are counted in the next window, within its limits. */
async function write(window: Window): Promise<void> {
  const unwrittenRows = rowsOf(window)
  try {
    // One at a time, so that other writers wait for one row and not for all of them.
    for (let row = unwrittenRows[0]; row; unwrittenRows.shift(), row = unwrittenRows[0]) await recordAudit(row)
  } catch (error) {
    log.error({ event: 'audit.refusals_not_written', code: errorCode(error) })
    const { others } = windows.open ?? openWindow()
    for (const { refusal, repeated } of unwrittenRows) count(others, refusal, repeated)
  }
}

const count = <K>(counts: Map<K, number>, key: K, times = 1) => counts.set(key, (counts.get(key) ?? 0) + times)

/** Adds a kind to the window; null if the window has no room for it. */
function newKind(window: Window, key: string, entry: RefusalEntry, group: string, bounds: Bounds): Kind | null {
  const groupSize = [...window.kinds.values()].filter((kind) => kind.group === group).length
  if (window.kinds.size >= bounds.all || groupSize >= bounds.kinds) return null
  const kind = { entry, group, told: 0, counted: 0 }
  window.kinds.set(key, kind)
  return kind
}

/** Counts a refusal of a group (a person, or a network without a session). Returns true if it gets its own row now. */
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

/** Ends the window now, and later windows at once: the process is about to stop. */
export function endRefusalWindows(): void {
  windows.ending = true
  windows.open?.close()
}

/** The same text for an object that does not exist and for one that the person may not see. */
export const nowhere = 'There is no such object in your accounts. Check the ID'

/** An object of an account in which the person has no role. The response treats it as missing, but it is recorded as a denial. */
export class HiddenObject extends AppError {
  constructor() {
    super('service_not_found', nowhere)
  }
}

/** The known parts of a refused request: our own words and checked ids, no text of the request. */
export type Asking = {
  name: Refusable
  actor?: Doer | null
  /** Origin of a request without a session. For a person, `actor` contains it. */
  client?: Client
  environment?: Environment
  /** Bare id of the account. */
  account?: string | null
  target?: string | null
}

/** Refusals of a person get a row each: only a program in their session is refused this often in a minute. */
const ofPerson: Bounds = { rows: 60, kinds: 400, all: 2000 }
/** Anyone can be refused without a session, so these rows are few: they wait for the same lock as every write. */
const ofNobody: Bounds = { rows: 1, kinds: 40, all: 200 }

const recorded = new WeakSet<AppError>()

/** Refusals during the render of one page, whose parts send the same request several times. Empty at each call in a route handler. */
const refusedOnPage = cache(() => new Set<string>())

function isFirstOnPage({ code, account, target }: RefusalEntry): boolean {
  const key = `${code} ${account} ${target}`
  const before = refusedOnPage()
  return !before.has(key) && before.add(key).has(key)
}

/** Returns the refusal in an error that rejects the requester; null for an error about the request itself and for all others. */
export function refusalIn(error: unknown): Refusal | null {
  if (error instanceof HiddenObject) return 'forbidden'
  return error instanceof AppError && Object.hasOwn(refusalEvents, error.code) ? (error.code as Refusal) : null
}

/** Marks a refusal that already has another audit row. Returns the error, to be thrown. */
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
 * Writes rows in the background, one after the other, so that they hold only one connection to the store. A row beyond the queue's limit,
 * or one that cannot be written, is counted.
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
 * Records a thrown refusal once, even if it is rethrown. Other errors are ignored. For a signed-in person the row is written before this
 * returns, and `unavailable` is thrown if it cannot be written. Without a session it is written in the background: an unavailable store
 * must neither delay nor change the response.
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
