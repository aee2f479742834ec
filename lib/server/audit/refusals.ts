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
  type RefusableRequestName,
  type RefusalCode,
  recordAudit,
  refusalEvents,
} from './chain'
import { type ClientOrigin, type RequestActor, toActorFields } from './client'

/**
 * Within a window (milliseconds), the first refusals of each kind get an audit row each. Further
 * refusals are only counted, and the counts are written to the audit when the window ends.
 */
const refusalWindowMs = 60_000

/** Audit rows per kind of refusal, kinds per group (a person or a network), and kinds in total. */
type RefusalWindowLimits = { rows: number; kinds: number; all: number }

type RefusalEntry = AuditEntry & { refusal: RefusalCode }
type CountedEntry = RefusalEntry & { repeated: number }

type RefusalKind = { entry: RefusalEntry; group: string; told: number; counted: number }
type RefusalWindow = {
  kinds: Map<string, RefusalKind>
  others: Map<RefusalCode, number>
  close: () => void
}

type RefusalWindows = { open: RefusalWindow | undefined; ending: boolean }
const refusalWindows = getSharedValue<RefusalWindows>('refusals', () => ({
  open: undefined,
  ending: false,
}))

function openRefusalWindow(): RefusalWindow {
  let closeWindow = () => {}
  const windowClosed = new Promise<void>((resolve) => {
    closeWindow = resolve
  })
  const timer = setTimeout(() => refusalWindow.close(), refusalWindows.ending ? 0 : refusalWindowMs)
  timer.unref()
  const refusalWindow: RefusalWindow = {
    kinds: new Map(),
    others: new Map(),
    close: () => {
      clearTimeout(timer)
      if (refusalWindows.open === refusalWindow) refusalWindows.open = undefined
      closeWindow()
    },
  }
  refusalWindows.open = refusalWindow
  delayExitFor(windowClosed.then(() => writeRefusalWindow(refusalWindow)))
  return refusalWindow
}

/** The object is left out, because refusals of one kind can be about different objects. */
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

const countedRefusalsCode = 'refusals.others.counted' as const

/**
 * Returns one row for each kind of refusal that was repeated, and one row per error code for the
 * refusals of kinds that did not fit into the window.
 */
function toCountedRows({ kinds, others }: RefusalWindow): CountedEntry[] {
  const repeatedKinds = [...kinds.values()].filter(({ counted }) => counted > 0)
  return [
    ...repeatedKinds.map(({ entry, counted }) => ({
      ...toCommonFields(entry),
      ...(entry.actor === null ? { code: countedRefusalsCode } : {}),
      repeated: counted,
    })),
    ...[...others].map(([refusal, repeated]) => ({
      code: countedRefusalsCode,
      actor: null,
      refusal,
      repeated,
    })),
  ]
}

/**
 * Writes the counts when a window ends. Counts that cannot be written move to the next window. When
 * the process stops, no next window follows, and the log has the number of lost refusals (`count`).
 */
async function writeRefusalWindow(window: RefusalWindow): Promise<void> {
  const unwrittenRows = toCountedRows(window)
  try {
    // One row at a time, so that other writers wait for one row and not for all of them.
    for (let row = unwrittenRows[0]; row; unwrittenRows.shift(), row = unwrittenRows[0])
      await recordAudit(row)
  } catch (error) {
    const lostCount = refusalWindows.ending
      ? unwrittenRows.reduce((sum, { repeated }) => sum + repeated, 0)
      : 0
    log.error({ event: 'audit.refusals_not_written', code: getErrorCode(error), count: lostCount })
    if (refusalWindows.ending) return
    const { others } = refusalWindows.open ?? openRefusalWindow()
    for (const { refusal, repeated } of unwrittenRows) addCount(others, refusal, repeated)
  }
}

const addCount = <K>(counts: Map<K, number>, key: K, times = 1) =>
  counts.set(key, (counts.get(key) ?? 0) + times)

/** Returns null if the window already has the maximum number of kinds. */
function addRefusalKind(
  window: RefusalWindow,
  kindKey: string,
  entry: RefusalEntry,
  group: string,
  limits: RefusalWindowLimits,
): RefusalKind | null {
  const groupSize = [...window.kinds.values()].filter((kind) => kind.group === group).length
  if (window.kinds.size >= limits.all || groupSize >= limits.kinds) return null
  const refusalKind = { entry, group, told: 0, counted: 0 }
  window.kinds.set(kindKey, refusalKind)
  return refusalKind
}

/** Returns true if the refusal gets its own row now. */
function countRefusal(entry: RefusalEntry, group: string, limits: RefusalWindowLimits): boolean {
  const openWindow = refusalWindows.open ?? openRefusalWindow()
  // Without a session, all requests of a network with the same error are one kind: a tab that was
  // left open can send many different requests.
  const kindKey = `${group} ${entry.actor === null ? entry.refusal : entry.code}`
  const countedKind =
    openWindow.kinds.get(kindKey) ?? addRefusalKind(openWindow, kindKey, entry, group, limits)
  if (!countedKind) addCount(openWindow.others, entry.refusal)
  else if (countedKind.told >= limits.rows) countedKind.counted += 1
  else countedKind.told += 1
  return countedKind !== null && countedKind.counted === 0
}

/** The process is about to stop: ends the current window now, and each later window at once. */
export function flushRefusals(): void {
  refusalWindows.ending = true
  refusalWindows.open?.close()
}

/** The same text for an object that does not exist and for one that the person may not see. */
export const hiddenObjectText = 'There is no such object in your accounts. Check the ID'

/** The person has no role in the object's account: a 404 for the person, a denial in the audit. */
export class HiddenObjectError extends AppError {
  constructor() {
    super('service_not_found', hiddenObjectText)
  }
}

/** Only names from our code and validated ids, never text that the client sent. */
export type RefusalContext = {
  name: RefusableRequestName
  actor?: RequestActor | null
  /** Origin of a request without a session. For a signed-in person, `actor` has it. */
  client?: ClientOrigin
  environment?: Environment
  /** Account id without the prefix `acct_`. */
  account?: string | null
  target?: string | null
}

/** High: only a program that uses the person's session is refused this often. */
const personRefusalLimits: RefusalWindowLimits = { rows: 60, kinds: 400, all: 2000 }
/** Low: anyone can send these requests, and each audit row locks the audit for all writes. */
const anonymousRefusalLimits: RefusalWindowLimits = { rows: 1, kinds: 40, all: 200 }

const recordedErrors = new WeakSet<AppError>()

/**
 * Keys of the refusals that were recorded for the page that is being rendered: its parts may repeat
 * a refused request. In a route handler, the set is always empty.
 */
const getPageRefusals = cache(() => new Set<string>())

function isFirstOnPage({ code, account, target }: RefusalEntry): boolean {
  const refusalKey = `${code} ${account} ${target}`
  const pageRefusals = getPageRefusals()
  return !pageRefusals.has(refusalKey) && pageRefusals.add(refusalKey).has(refusalKey)
}

/** Null for an error that does not refuse the requester. */
export function toRefusalCode(error: unknown): RefusalCode | null {
  if (error instanceof HiddenObjectError) return 'forbidden'
  return error instanceof AppError && Object.hasOwn(refusalEvents, error.code)
    ? (error.code as RefusalCode)
    : null
}

/** `recordRefusal` ignores a marked error: another audit row already records its refusal. */
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

const selectLimits = ({ actor, refusal }: RefusalEntry): RefusalWindowLimits => {
  if (actor === null) return anonymousRefusalLimits
  return refusal === 'too_many' ? { ...personRefusalLimits, rows: 1 } : personRefusalLimits
}

let writeQueue: Promise<void> = Promise.resolve()
let queuedRowCount = 0

/**
 * Rows are written one after another, so that they use only one connection to the store. If too
 * many rows wait, or if the row cannot be written, the refusal is counted instead.
 */
function queueRefusalRow(entry: RefusalEntry, group: string): void {
  const countRefusalInstead = () => void countRefusal(entry, group, anonymousRefusalLimits)
  if (queuedRowCount >= anonymousRefusalLimits.all) {
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
 * Writes the audit row of a refusal once, even if the error is thrown again. For a signed-in
 * person, the row is written before this function returns; if that fails, throws `unavailable`.
 * Without a session, it is written in the background: an unavailable store must neither delay nor
 * change the response.
 */
export async function recordRefusal(error: unknown, context: RefusalContext): Promise<void> {
  const refusalCode = toRefusalCode(error)
  if (!refusalCode || recordedErrors.has(error as AppError)) return
  recordedErrors.add(error as AppError)
  const entry = toRefusalEntry(refusalCode, context)
  if (!isFirstOnPage(entry)) return
  const refusalGroup = entry.actor ?? entry.network ?? 'unknown'
  if (!countRefusal(entry, refusalGroup, selectLimits(entry))) return
  const { environment } = context
  log.warn({
    event: 'access.denied',
    operation: context.name,
    code: refusalCode,
    ...(environment ? { environment } : {}),
  })
  if (entry.actor === null) return queueRefusalRow(entry, refusalGroup)
  await recordAudit(entry).catch((cause: unknown) => {
    throw new AppError(
      'unavailable',
      'This could not be recorded, so nothing was done. Try again',
      { cause },
    )
  })
}
