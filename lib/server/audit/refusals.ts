import 'server-only'
import { cache } from 'react'
import { AppError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import { getErrorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'
import { shared } from '@/lib/server/shared'
import { delayExitFor } from '@/lib/server/store/store'
import { type AuditEntry, type RefusableRequest, type RefusalCode, recordAudit, refusalEvents } from './chain'
import { type ClientOrigin, type RequestActor, toActorFields } from './client'

/**
 * Length of a window (milliseconds). In a window, refusals get one row each up to a limit. Further ones are counted, and the counts are
 * written when the window ends.
 */
const windowMs = 60_000

/** Limits of a window: rows per kind of refusal, kinds per group, and kinds in total. */
type WindowLimits = { rows: number; kinds: number; all: number }

type RefusalEntry = AuditEntry & { refusal: RefusalCode }
type CountedEntry = RefusalEntry & { repeated: number }

type RefusalKind = { entry: RefusalEntry; group: string; told: number; counted: number }
type RefusalWindow = { kinds: Map<string, RefusalKind>; others: Map<RefusalCode, number>; close: () => void }

type RefusalWindows = { open: RefusalWindow | undefined; ending: boolean }
const windows = shared<RefusalWindows>('refusals', () => ({ open: undefined, ending: false }))

function openWindow(): RefusalWindow {
  let close = () => {}
  const windowClosed = new Promise<void>((resolve) => {
    close = resolve
  })
  const timer = setTimeout(() => window.close(), windows.ending ? 0 : windowMs)
  timer.unref()
  const window: RefusalWindow = {
    kinds: new Map(),
    others: new Map(),
    close: () => {
      clearTimeout(timer)
      if (windows.open === window) windows.open = undefined
      close()
    },
  }
  windows.open = window
  delayExitFor(windowClosed.then(() => writeWindow(window)))
  return window
}

/** Returns the fields that all refusals of a kind share: person and network, but not the object. */
const toCommonFields = ({ code, actor, session, network, refusal }: RefusalEntry): RefusalEntry => ({
  code,
  actor,
  refusal,
  ...(session ? { session } : {}),
  ...(network ? { network } : {}),
})

const countedCode = 'refusals.others.counted' as const

/** Returns the rows that end a window: one for the repeats of each kind, and counts of the refusals that had no kind. */
function toCountedRows({ kinds, others }: RefusalWindow): CountedEntry[] {
  const repeatedKinds = [...kinds.values()].filter(({ counted }) => counted > 0)
  return [
    ...repeatedKinds.map(({ entry, counted }) => ({
      ...toCommonFields(entry),
      ...(entry.actor === null ? { code: countedCode } : {}),
      repeated: counted,
    })),
    ...[...others].map(([refusal, repeated]) => ({ code: countedCode, actor: null, refusal, repeated })),
  ]
}

/** Writes the rows that end a window. Rows that cannot be written are counted in the next window, within its limits. */
async function writeWindow(window: RefusalWindow): Promise<void> {
  const unwrittenRows = toCountedRows(window)
  try {
    // One row at a time, so that other writers wait for one row and not for all of them.
    for (let row = unwrittenRows[0]; row; unwrittenRows.shift(), row = unwrittenRows[0]) await recordAudit(row)
  } catch (error) {
    log.error({ event: 'audit.refusals_not_written', code: getErrorCode(error) })
    const { others } = windows.open ?? openWindow()
    for (const { refusal, repeated } of unwrittenRows) addCount(others, refusal, repeated)
  }
}

const addCount = <K>(counts: Map<K, number>, key: K, times = 1) => counts.set(key, (counts.get(key) ?? 0) + times)

/** Adds a kind to the window; null if the window has no room for it. */
function addKind(window: RefusalWindow, key: string, entry: RefusalEntry, group: string, bounds: WindowLimits): RefusalKind | null {
  const groupSize = [...window.kinds.values()].filter((kind) => kind.group === group).length
  if (window.kinds.size >= bounds.all || groupSize >= bounds.kinds) return null
  const kind = { entry, group, told: 0, counted: 0 }
  window.kinds.set(key, kind)
  return kind
}

/** Counts a refusal in its group: the person, or the network if there is no session. Returns true if the refusal gets its own row now. */
function countRefusal(entry: RefusalEntry, group: string, bounds: WindowLimits): boolean {
  const window = windows.open ?? openWindow()
  // Without a session, all requests of a network with the same error are one kind, because a forgotten tab sends many different requests.
  const key = `${group} ${entry.actor === null ? entry.refusal : entry.code}`
  const kind = window.kinds.get(key) ?? addKind(window, key, entry, group, bounds)
  if (!kind) addCount(window.others, entry.refusal)
  else if (kind.told >= bounds.rows) kind.counted += 1
  else kind.told += 1
  return kind !== null && kind.counted === 0
}

/** Ends the current window now, and each later window at once, because the process is about to stop. */
export function flushRefusals(): void {
  windows.ending = true
  windows.open?.close()
}

/** Error text for an object that does not exist, and for one that the person may not see. */
export const hiddenObjectText = 'There is no such object in your accounts. Check the ID'

/** Error for an object of an account in which the person has no role: a 404 for the person, but a denial in the audit row. */
export class HiddenObjectError extends AppError {
  constructor() {
    super('service_not_found', hiddenObjectText)
  }
}

/** The fields of a refused request that are recorded: names from our code and checked ids, no text of the request. */
export type RefusalContext = {
  name: RefusableRequest
  actor?: RequestActor | null
  /** Origin of a request without a session. For a signed-in person, `actor` contains it. */
  client?: ClientOrigin
  environment?: Environment
  /** Bare id of the account. */
  account?: string | null
  target?: string | null
}

/**
 * Limits per minute for a signed-in person: audit rows, different refusals, and refusals in total. The limits are high, because only a
 * program in the person's session is refused this often.
 */
const personLimits: WindowLimits = { rows: 60, kinds: 400, all: 2000 }
/** Limits for requests without a session. Anyone can send them, so they get few rows: each waits for the same lock as every write. */
const anonymousLimits: WindowLimits = { rows: 1, kinds: 40, all: 200 }

const recordedErrors = new WeakSet<AppError>()

/** Refusals during the render of one page, whose parts repeat the same request. In a route handler, each call returns an empty set. */
const getPageRefusals = cache(() => new Set<string>())

function isFirstOnPage({ code, account, target }: RefusalEntry): boolean {
  const key = `${code} ${account} ${target}`
  const pageRefusals = getPageRefusals()
  return !pageRefusals.has(key) && pageRefusals.add(key).has(key)
}

/** Returns the code of an error that refuses the requester; null for any other error. */
export function toRefusal(error: unknown): RefusalCode | null {
  if (error instanceof HiddenObjectError) return 'forbidden'
  return error instanceof AppError && Object.hasOwn(refusalEvents, error.code) ? (error.code as RefusalCode) : null
}

/** Marks a refusal that another audit row already records. Returns the error, for the caller to throw. */
export function markRecorded(error: AppError): AppError {
  recordedErrors.add(error)
  return error
}

const toRefusalEntry = (refusal: RefusalCode, { name, actor, client, environment, account, target }: RefusalContext): RefusalEntry => ({
  code: `${name}.${refusalEvents[refusal]}`,
  ...(actor ? toActorFields(actor) : { actor: null, ...client }),
  refusal,
  ...(environment ? { environment } : {}),
  ...(account ? { account } : {}),
  ...(target ? { target } : {}),
})

const selectLimits = ({ actor, refusal }: RefusalEntry): WindowLimits => {
  if (actor === null) return anonymousLimits
  return refusal === 'too_many' ? { ...personLimits, rows: 1 } : personLimits
}

let writeQueue: Promise<void> = Promise.resolve()
let queuedCount = 0

/**
 * Writes rows in the background, one after another, so that they use only one connection to the store. If the queue is full or a row cannot
 * be written, the refusal is counted instead.
 */
function queueWrite(entry: RefusalEntry, group: string): void {
  const countInstead = () => void countRefusal(entry, group, anonymousLimits)
  if (queuedCount >= anonymousLimits.all) {
    countInstead()
    return
  }
  queuedCount += 1
  writeQueue = writeQueue
    .then(() => recordAudit(entry))
    .catch(countInstead)
    .finally(() => {
      queuedCount -= 1
    })
  delayExitFor(writeQueue)
}

/**
 * Records a thrown refusal once, even if it is thrown again. Ignores other errors. For a signed-in person, the row is written before this
 * returns, and `unavailable` is thrown if it cannot be written. Without a session, the row is written in the background: an unavailable
 * store must neither delay nor change the response.
 */
export async function recordRefusal(error: unknown, context: RefusalContext): Promise<void> {
  const refusal = toRefusal(error)
  if (!refusal || recordedErrors.has(error as AppError)) return
  recordedErrors.add(error as AppError)
  const entry = toRefusalEntry(refusal, context)
  if (!isFirstOnPage(entry)) return
  const group = entry.actor ?? entry.network ?? 'unknown'
  if (!countRefusal(entry, group, selectLimits(entry))) return
  const { environment } = context
  log.warn({ event: 'access.denied', operation: context.name, code: refusal, ...(environment ? { environment } : {}) })
  if (entry.actor === null) return queueWrite(entry, group)
  await recordAudit(entry).catch((cause: unknown) => {
    throw new AppError('unavailable', 'This could not be recorded, so nothing was done. Try again', { cause })
  })
}
