import 'server-only'
import type { ReadResult } from '@/lib/domain/check'
import {
  findUnconfirmedWarnings,
  formatWarning,
  toWarningErrorItems,
  type Warning,
} from '@/lib/domain/warnings'
import { AppError } from '@/lib/errors'
import type { ActionHook } from '@/lib/operations/define'
import type { Input, Output } from '@/lib/operations/registry'
import {
  getServiceOperation,
  type OperationHooks,
  type OperationIdWithHooks,
  type ReadId,
  type ServiceOperationId,
  serviceOperationIds,
} from '@/lib/operations/service-operations'
import type { ExtraRowsWriter, NewAction } from '@/lib/server/actions/action-log'
import type { ScopedAccount } from '@/lib/server/auth/scoped-account'
import { readService, type ServiceReadResult } from '@/lib/server/service/service-read'

/**
 * `alsoWrite` writes further rows in the transaction that records the action. `askedBy` is the
 * person who requested the write, if another person sends it.
 */
type PreconditionResult = { alsoWrite: ExtraRowsWriter; askedBy?: string }

/**
 * Runs before an action is recorded, and again before an approved write is sent. Throws to refuse.
 * `read` is the target as it was just read from the service, null if it was not read.
 */
type Precondition = (
  write: NewAction,
  read: unknown,
) => Promise<PreconditionResult | Response | null>

/** Runs after a write was sent, whatever its outcome. The response to the browser waits for it. */
type AfterWriteHook = (write: NewAction) => Promise<void>

type Hooks = { before: Precondition; after: AfterWriteHook }

export type RegisteredHooks = Partial<Hooks>

type HookRegistration<K extends OperationIdWithHooks> = Pick<Hooks, OperationHooks<K>>

type JobStarter = () => { stop: () => void }

/** Returns faults of the process's files and settings that prevent the start, one line each. */
type StartCheck = () => readonly string[]

const registeredHooks = new Map<ServiceOperationId, RegisteredHooks>()
const jobStarters = new Set<JobStarter>()
const startChecks = new Set<StartCheck>()

export function registerOperation<K extends OperationIdWithHooks>(
  id: K,
  hooks: HookRegistration<K>,
): void {
  if (registeredHooks.has(id)) throw new Error(`${id} is registered twice`)
  registeredHooks.set(id, hooks)
}

export const registerJob = (job: JobStarter): void => void jobStarters.add(job)

/** Registers a check that runs at every start, before anything else. */
export const registerStartCheck = (check: StartCheck): void => void startChecks.add(check)

const listMissingHooks = (id: ServiceOperationId): ActionHook[] =>
  (getServiceOperation(id).hooks ?? []).filter((hook) => !registeredHooks.get(id)?.[hook])

/**
 * Throws if a declared hook is missing: a write without its precondition is dangerous. The start
 * check is not enough: pages and route handlers are separate bundles with own registrations.
 */
export function requireHooks(id: ServiceOperationId): RegisteredHooks {
  const missingHooks = listMissingHooks(id)
  if (missingHooks.length > 0)
    throw new Error(`${id}: no feature registered its ${missingHooks.join(' and ')}`)
  return registeredHooks.get(id) ?? {}
}

export function requireRegistrations(): void {
  const missingHookLines = serviceOperationIds.flatMap((id) =>
    listMissingHooks(id).map((hook) => `${id}: no feature registered its ${hook}`),
  )
  const startFaults = [...missingHookLines, ...[...startChecks].flatMap((check) => check())]
  if (startFaults.length > 0) throw new Error(startFaults.join('\n'))
}

export function startJobs(): { stop: () => void } {
  const runningJobs = [...jobStarters].map((job) => job())
  return { stop: () => runningJobs.forEach(({ stop }) => void stop()) }
}

/**
 * If `input` is null or the service does not return the data, returns an error text, so that the
 * person sees what is missing. Throws errors of Paydesk itself.
 */
export async function readForDecision<K extends ReadId, T = Output<K>>(
  id: K,
  input: Input<K> | null,
  scope: ScopedAccount,
  toResult: (read: ServiceReadResult<K>) => T = ({ data }) => data as T,
): Promise<ReadResult<T>> {
  if (input === null) return { error: 'The ID is missing.' }
  try {
    const readResult = await readService(id, input, scope)
    return {
      data: toResult(readResult),
      at: readResult.meta.read_at,
      unread: readResult.meta.unreadable_rows,
    }
  } catch (error) {
    if (error instanceof AppError && error.code.startsWith('service_'))
      return { error: 'It could not be read.' }
    throw error
  }
}

/** `read` is the target as it was just read from the service, null if it was not read. */
export type FindWarnings = (newAction: NewAction, read: unknown) => Promise<readonly Warning[]>

export const getTargetId = ({ target }: NewAction): string => target?.split('/')[1] ?? ''

export function readRequestedStatus({ body }: Pick<NewAction, 'body'>): unknown {
  return Buffer.isBuffer(body)
    ? (JSON.parse(body.toString('utf8')) as { status?: unknown }).status
    : undefined
}

/** Throws `invalid_input` with one item `warnings.<name>` for each unconfirmed warning. */
export function requireConfirmedWarnings(
  newAction: NewAction,
  neededWarnings: readonly Warning[],
): void {
  const unconfirmedWarnings = findUnconfirmedWarnings(neededWarnings, newAction.warnings)
  if (unconfirmedWarnings.length === 0) return
  const detail = `warnings: ${unconfirmedWarnings.map(formatWarning).join(' ')} Nothing was sent: confirm each, then try again`
  throw new AppError('invalid_input', detail, { items: toWarningErrorItems(unconfirmedWarnings) })
}

/**
 * Refuses a write with an unconfirmed warning: it appeared or its amount changed after the page was
 * rendered, or the request does not come from a page.
 */
export const createWarningsPrecondition =
  (findWarnings: FindWarnings) =>
  async (newAction: NewAction, read: unknown): Promise<null> => {
    requireConfirmedWarnings(newAction, await findWarnings(newAction, read))
    return null
  }
