import 'server-only'
import { cache } from 'react'
import { AppError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import { getErrorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'
import { getSharedValue } from '@/lib/server/shared'
import { delayExitFor } from '@/lib/server/store/store'
import {
  type AuditEntry,
  type RefusableRequest,
  type RefusalCode,
  recordAudit,
  refusalEvents,
} from './chain'
import { type ClientOrigin, type RequestActor, toActorFields } from './client'

/**
 * Length of a window (milliseconds). Within a window, the first refusals of each kind get an audit
 * row each. Further refusals are only counted, and the counts are written to the audit when the
 * window ends.
 */
const windowMs = 60_000

/**
 * Limits of a window: audit rows per kind of refusal, kinds per group (a person or a network), and
 * kinds in total.
 */
type WindowLimits = { rows: number; kinds: number; all: number }

type RefusalEntry = AuditEntry & { refusal: RefusalCode }
type CountedEntry = RefusalEntry & { repeated: number }

type RefusalKind = { entry: RefusalEntry; group: string; told: number; counted: number }
type RefusalWindow = {
  kinds: Map<string, RefusalKind>
  others: Map<RefusalCode, number>
  close: () => void
}

type RefusalWindows = { open: RefusalWindow | undefined; ending: boolean }
const windows = getSharedValue<RefusalWindows>('refusals', () => ({
  open: undefined,
  ending: false,
}))

function openWindow(): RefusalWindow {
  let closeWindow = () => {}
  const windowClosed = new Promise<void>((resolve) => {
    closeWindow = resolve
  })
  const timer = setTimeout(() => window.close(), windows.ending ? 0 : windowMs)
  timer.unref()
  const window: RefusalWindow = {
    kinds: new Map(),
    others: new Map(),
    close: () => {
      clearTimeout(timer)
      if (windows.open === window) windows.open = undefined
      closeWindow()
    },
  }
  windows.open = window
  delayExitFor(windowClosed.then(() => writeWindow(window)))
  return window
}

/** Returns the fields that all refusals of a kind share: person and network, but not the object. */
const toCommonFields = ({
  code,
  actor,
  session,
  network,
  refusal,
}: RefusalEntry): RefusalEntry => ({
  code,
  actor,
  refusal,
  ...(session ? { session } : {}),
  ...(network ? { network } : {}),
})

const countedCode = 'refusals.others.counted' as const

/**
 * Returns the audit rows that end a window: one with the further refusals of each kind, and one per
 * error code with the refusals for which the window had no room.
 */
function toCountedRows({ kinds, others }: RefusalWindow): CountedEntry[] {
  const repeatedKinds = [...kinds.values()].filter(({ counted }) => counted > 0)
  return [
    ...repeatedKinds.map(({ entry, counted }) => ({
      ...toCommonFields(entry),
      ...(entry.actor === null ? { code: countedCode } : {}),
      repeated: counted,
    })),
    ...[...others].map(([refusal, repeated]) => ({
      code: countedCode,
      actor: null,
      refusal,
      repeated,
    })),
  ]
}

/**
 * Writes the rows that end a window. Rows that cannot be written are counted in the next window,
 * within its limits. When the process stops, there is no next window, and `count` in the log is the
 * number of refusals that are lost.
 */
async function writeWindow(window: RefusalWindow): Promise<void> {
  const unwrittenRows = toCountedRows(window)
  try {
    // One row at a time, so that other writers wait for one row and not for all of them.
    for (let row = unwrittenRows[0]; row; unwrittenRows.shift(), row = unwrittenRows[0])
      await recordAudit(row)
  } catch (error) {
    const lostCount = windows.ending
      ? unwrittenRows.reduce((sum, { repeated }) => sum + repeated, 0)
      : 0
    log.error({ event: 'audit.refusals_not_written', code: getErrorCode(error), count: lostCount })
    if (windows.ending) return
    const { others } = windows.open ?? openWindow()
    for (const { refusal, repeated } of unwrittenRows) addCount(others, refusal, repeated)
  }
}

const addCount = <K>(counts: Map<K, number>, key: K, times = 1) =>
  counts.set(key, (counts.get(key) ?? 0) + times)

/**
 * Adds a kind of refusal to the window. Returns null if the window has no room for another kind.
 */
function addKind(
  window: RefusalWindow,
  kindKey: string,
  entry: RefusalEntry,
  group: string,
  limits: WindowLimits,
): RefusalKind | null {
  const groupSize = [...window.kinds.values()].filter((kind) => kind.group === group).length
  if (window.kinds.size >= limits.all || groupSize >= limits.kinds) return null
  const kind = { entry, group, told: 0, counted: 0 }
  window.kinds.set(kindKey, kind)
  return kind
}

/**
 * Counts a refusal in its group: the person, or the network if there is no session. Returns true if
 * the refusal gets its own row now.
 */
function countRefusal(entry: RefusalEntry, group: string, limits: WindowLimits): boolean {
  const window = windows.open ?? openWindow()
  // Without a session, all requests of a network with the same error are one kind: a tab that was
  // left open can send many different requests.
  const kindKey = `${group} ${entry.actor === null ? entry.refusal : entry.code}`
  const kind = window.kinds.get(kindKey) ?? addKind(window, kindKey, entry, group, limits)
  if (!kind) addCount(window.others, entry.refusal)
  else if (kind.told >= limits.rows) kind.counted += 1
  else kind.told += 1
  return kind !== null && kind.counted === 0
}

/**
 * Ends the current window now, and each later window at once, because the process is about to stop.
 */
export function flushRefusals(): void {
  windows.ending = true
  windows.open?.close()
}

/** Error text for an object that does not exist, and for one that the person may not see. */
export const hiddenObjectText = 'There is no such object in your accounts. Check the ID'

/**
 * Error for an object of an account in which the person has no role: a 404 for the person, but a
 * denial in the audit row.
 */
export class HiddenObjectError extends AppError {
  constructor() {
    super('service_not_found', hiddenObjectText)
  }
}

/**
 * The details of a refused request for its audit row: names from our code and validated ids, never
 * text that the client sent.
 */
export type RefusalContext = {
  name: RefusableRequest
  actor?: RequestActor | null
  /** Origin of a request without a session. For a signed-in person, `actor` contains it. */
  client?: ClientOrigin
  environment?: Environment
  /** Account id without the prefix `acct_`. */
  account?: string | null
  target?: string | null
}

/**
 * Limits for a signed-in person, per window. They are high: only a program that uses the person's
 * session is refused this often.
 */
const personLimits: WindowLimits = { rows: 60, kinds: 400, all: 2000 }
/**
 * Limits for requests without a session. They are low: anyone can send such requests, and each
 * audit row locks the audit for all writes.
 */
const anonymousLimits: WindowLimits = { rows: 1, kinds: 40, all: 200 }

const recordedErrors = new WeakSet<AppError>()

/**
 * Returns the refusals of the page that is being rendered: its parts may repeat a request. In a
 * route handler, the set is always empty.
 */
const getPageRefusals = cache(() => new Set<string>())

function isFirstOnPage({ code, account, target }: RefusalEntry): boolean {
  const key = `${code} ${account} ${target}`
  const pageRefusals = getPageRefusals()
  return !pageRefusals.has(key) && pageRefusals.add(key).has(key)
}

/** Returns the code of an error that refuses the requester; null for any other error. */
export function toRefusalCode(error: unknown): RefusalCode | null {
  if (error instanceof HiddenObjectError) return 'forbidden'
  return error instanceof AppError && Object.hasOwn(refusalEvents, error.code)
    ? (error.code as RefusalCode)
    : null
}

/**
 * Marks an error whose refusal another audit row already records: `recordRefusal` ignores it.
 * Returns the error, for the caller to throw.
 */
export function markErrorRecorded(error: AppError): AppError {
  recordedErrors.add(error)
  return error
}

const toRefusalEntry = (
  refusal: RefusalCode,
  { name, actor, client, environment, account, target }: RefusalContext,
): RefusalEntry => ({
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
let queuedRowCount = 0

/**
 * Writes the audit row of a refusal in the background. Rows are written one after another, so that
 * they use only one connection to the store. If too many rows wait, or if the row cannot be
 * written, the refusal is counted instead.
 */
function queueRefusalRow(entry: RefusalEntry, group: string): void {
  const countRefusalInstead = () => void countRefusal(entry, group, anonymousLimits)
  if (queuedRowCount >= anonymousLimits.all) {
    countRefusalInstead()
    return
  }
  queuedRowCount += 1
  writeQueue = writeQueue
    .then(() => recordAudit(entry))
    .catch(countRefusalInstead)
    .finally(() => {
      queuedRowCount -= 1
    })
  delayExitFor(writeQueue)
}

/**
 * Writes the audit row of a thrown refusal, once, even if the error is thrown again. Ignores all
 * other errors. For a signed-in person, the row is written before this function returns; if that
 * fails, throws `unavailable`. Without a session, the row is written in the background, because an
 * unavailable store must neither delay nor change the response.
 */
export async function recordRefusal(error: unknown, context: RefusalContext): Promise<void> {
  const refusal = toRefusalCode(error)
  if (!refusal || recordedErrors.has(error as AppError)) return
  recordedErrors.add(error as AppError)
  const entry = toRefusalEntry(refusal, context)
  if (!isFirstOnPage(entry)) return
  const group = entry.actor ?? entry.network ?? 'unknown'
  if (!countRefusal(entry, group, selectLimits(entry))) return
  const { environment } = context
  log.warn({
    event: 'access.denied',
    operation: context.name,
    code: refusal,
    ...(environment ? { environment } : {}),
  })
  if (entry.actor === null) return queueRefusalRow(entry, group)
  await recordAudit(entry).catch((cause: unknown) => {
    throw new AppError(
      'unavailable',
      'This could not be recorded, so nothing was done. Try again',
      { cause },
    )
  })
}
