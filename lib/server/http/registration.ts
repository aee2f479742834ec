import 'server-only'
import { known, type Loadable, missing } from '@/lib/domain/loadable'
import { unticked, type Warning, warningItems, warningText } from '@/lib/domain/warnings'
import { AppError } from '@/lib/errors'
import type { Hook } from '@/lib/operations/define'
import type { Input, Output } from '@/lib/operations/registry'
import {
  type HookedId,
  type HooksOf,
  type ReadId,
  type ServiceOperationId,
  serviceOperation,
  serviceOperationIds,
} from '@/lib/operations/service-operations'
import type { AlsoWrite, NewAction } from '@/lib/server/actions/action-log'
import type { ScopedAccount } from '@/lib/server/auth/scoped-account'
import { type Read, readService } from '@/lib/server/service/service-read'

/** What belongs to a write: what is written together with its action, and the person on whose request it is done, where that is a record of its own. */
type Beside = { alsoWrite: AlsoWrite; askedBy?: string }

/**
 * What a feature asks of a write before it is recorded, and again before a write is sent that waited for approval, beyond what the service checks. Gives what
 * belongs to it, the answer to send instead of recording it, or null; throws what refuses it. `read` is the object where it was just compared with what the
 * person saw.
 */
type Precondition = (write: NewAction, read: unknown) => Promise<Beside | Response | null>

/** What a feature does once a write was sent, whatever the outcome; the person waits for it. */
type AfterWrite = (write: NewAction) => Promise<void>

type Hooks = { before: Precondition; after: AfterWrite }

/** What is registered for an operation; nothing where no feature takes part in it. */
export type Registered = Partial<Hooks>

/** What the definition of an operation says that a feature does for it: all of it, and nothing else. */
type Registration<K extends HookedId> = Pick<Hooks, HooksOf<K>>

/** Work a feature does in the background for as long as the process lives. */
type Job = () => { stop: () => void }

/** Returns why a process of these files and settings must not start, one line for each fault. */
type StartCheck = () => readonly string[]

const registered = new Map<ServiceOperationId, Registered>()
const jobs = new Set<Job>()
const startChecks = new Set<StartCheck>()

/** Registers what a feature does around an operation. Throws where another feature did: one of the two would be lost. */
export function registerOperation<K extends HookedId>(id: K, hooks: Registration<K>): void {
  if (registered.has(id)) throw new Error(`${id} is registered twice`)
  registered.set(id, hooks)
}

/** Registers background work, which begins when the process is ready. */
export const registerJob = (job: Job): void => void jobs.add(job)

/** Registers a check that every start makes before anything else of it begins. */
export const registerStartCheck = (check: StartCheck): void => void startChecks.add(check)

const missingOf = (id: ServiceOperationId): Hook[] => (serviceOperation(id).hooks ?? []).filter((hook) => !registered.get(id)?.[hook])

/**
 * What is registered for an operation. Throws where its definition names something that is not: a write without its precondition would be worse than none. Pages
 * and route handlers are bundled apart, so each of them is asked, not only the start.
 */
export function hooksOf(id: ServiceOperationId): Registered {
  const missing = missingOf(id)
  if (missing.length > 0) throw new Error(`${id}: no feature registered its ${missing.join(' and ')}`)
  return registered.get(id) ?? {}
}

/** Refuses a start with an operation that no feature registered for, or with what a registered check finds. Throws one Error with a line for each. */
export function requireRegistrations(): void {
  const missing = serviceOperationIds.flatMap((id) => missingOf(id).map((hook) => `${id}: no feature registered its ${hook}`))
  const faults = [...missing, ...[...startChecks].flatMap((check) => check())]
  if (faults.length > 0) throw new Error(faults.join('\n'))
}

/** Begins all background work of features; `stop` ends it. */
export function startJobs(): { stop: () => void } {
  const running = [...jobs].map((job) => job())
  return { stop: () => running.forEach(({ stop }) => void stop()) }
}

/**
 * A reading beside an object that a decision looks at; null for what the object does not name. What the service does not give is missing, which whoever
 * decides has to answer for; a read that Paydesk itself could not make is thrown. `whole` makes of the answer and its figures what is looked at.
 */
export async function readLoadable<K extends ReadId, T = Output<K>>(
  id: K,
  input: Input<K> | null,
  scope: ScopedAccount,
  whole: (read: Read<K>) => T = ({ data }) => data as T,
): Promise<Loadable<T>> {
  if (input === null) return missing('The ID is missing.')
  try {
    const read = await readService(id, input, scope)
    return known(whole(read), read.meta.read_at, read.meta.unreadable_rows)
  } catch (error) {
    if (error instanceof AppError && error.code.startsWith('service_')) return missing('It could not be read.')
    throw error
  }
}

/** Finds what an action has to be ticked for; `read` is its object where that was just compared with what was seen. */
export type FindWarnings = (newAction: NewAction, read: unknown) => Promise<readonly Warning[]>

/** The id of the object a new action writes to. */
export const targetId = ({ target }: NewAction): string => target?.split('/')[1] ?? ''

export function statusIn({ body }: Pick<NewAction, 'body'>): unknown {
  return Buffer.isBuffer(body) ? (JSON.parse(body.toString('utf8')) as { status?: unknown }).status : undefined
}

/** Refuses a new action that lacks a tick. Throws `invalid_input` with one item for each, named `warnings.<name>`; nothing is recorded then. */
export function requireTicked(newAction: NewAction, needed: readonly Warning[]): void {
  const left = unticked(needed, newAction.warnings)
  if (left.length === 0) return
  const detail = `warnings: ${left.map(warningText).join(' ')} Nothing was sent: confirm each, then try again`
  throw new AppError('invalid_input', detail, { items: warningItems(left) })
}

/**
 * Refuses what is done in spite of a warning that nobody ticked: the page was read before there was one, another amount is exceeded now, or the request
 * came from no page. Throws `invalid_input` as `requireTicked` does, and what a read throws; nothing is recorded then.
 */
export const refuseUnticked =
  (find: FindWarnings) =>
  async (newAction: NewAction, read: unknown): Promise<null> => {
    requireTicked(newAction, await find(newAction, read))
    return null
  }
