import 'server-only'
import { whyUnreadable } from '@/lib/domain/unreadable-rules'
import { AppError } from '@/lib/errors'
import { isServiceOperationId, type ReadId, serviceOperation } from '@/lib/operations/service-operations'
import type { NewAction } from '@/lib/server/actions/action-log'
import type { ScopedAccount } from '@/lib/server/auth/scoped-account'
import { hashSnapshot, readService, throwNotSent } from '@/lib/server/service/service-read'
import { readStoreTime } from '@/lib/server/store/store'
import { respondError } from './respond'

/** Returns the id of a target and the operation that reads it, or null if there is no such operation. */
function findReader(target: string | null): { get: ReadId; id: string } | null {
  const [resource = '', id = ''] = target?.split('/') ?? []
  const singleReadId = `${resource}.get`
  return isServiceOperationId(singleReadId) ? { get: singleReadId as ReadId, id } : null
}

/** The target as it was just read, and the database time before that read. */
export type ComparedTarget = { at: Date; data: unknown }

/**
 * Reads the target again and compares it with the snapshot hash of the page that the person saw. Returns the target and the time, or a
 * `changed` response if the target differs. Returns null if the write has no hash. Throws `not_sent` if the target, or a field that the
 * write requires, could not be read.
 */
export async function compareSnapshot(newAction: NewAction): Promise<Response | ComparedTarget | null> {
  const reader = findReader(newAction.target)
  if (!newAction.snapshotHash || !reader) return null
  const { verbPhrase } = serviceOperation(newAction.operation)
  const at = await readStoreTime()
  const subjectText = `You asked to ${verbPhrase}, but what you saw`
  const now = await readService(reader.get, { id: reader.id } as never, newAction.scope).catch(throwNotSent(subjectText))
  if (hashSnapshot(now.data) === newAction.snapshotHash) {
    const why = whyUnreadable(newAction.operation, now.data)
    if (why) throw new AppError('not_sent', `${why} Nothing was sent`, { requestId: now.meta.request_id })
    return { at, data: now.data }
  }
  const error = new AppError('changed', `${subjectText} has changed since. Nothing was sent: refresh and review`)
  return respondError(error, now.meta.request_id, { data: now.data })
}

/** Returns the current target of a write; undefined if its resource has no read operation. Throws the errors of the read. */
export async function readCurrentTarget(target: string | null, scope: ScopedAccount): Promise<unknown> {
  const reader = findReader(target)
  return reader ? (await readService(reader.get, { id: reader.id } as never, scope)).data : undefined
}

/**
 * Reads the target of a write without a snapshot hash, for the approver: the current version counts as the one that the requester saw.
 * Returns null if its resource has no read operation. Throws `not_sent` if the read fails.
 */
export async function readTarget(newAction: NewAction): Promise<ComparedTarget | null> {
  const reader = findReader(newAction.target)
  if (!reader) return null
  const at = await readStoreTime()
  return { at, data: await readCurrentTarget(newAction.target, newAction.scope).catch(throwNotSent('The record')) }
}
