import 'server-only'
import { whyFieldsUnreadable } from '@/lib/domain/unreadable-rules'
import { AppError } from '@/lib/errors'
import {
  getServiceOperation,
  isServiceOperationId,
  type ReadId,
} from '@/lib/operations/service-operations'
import type { NewAction } from '@/lib/server/actions/action-log'
import type { ScopedAccount } from '@/lib/server/auth/scoped-account'
import { createNotSentHandler, hashSnapshot, readService } from '@/lib/server/service/service-read'
import { readStoreTime } from '@/lib/server/store/store'
import { respondError } from './respond'

/** Null if no operation reads the target. */
function findTargetReadOperation(target: string | null): { get: ReadId; id: string } | null {
  const [resource = '', id = ''] = target?.split('/') ?? []
  const singleReadId = `${resource}.get`
  return isServiceOperationId(singleReadId) ? { get: singleReadId as ReadId, id } : null
}

/** `at` is the database time just before the target was read. */
export type ComparedTarget = { at: Date; data: unknown }

/**
 * Compares the target with the snapshot hash of the page that the person saw. Returns a `changed`
 * response if they differ; null if the write has no hash. Throws `not_sent` if the target, or a
 * field that the write requires, could not be read. `toCompared` can remove differences that do not
 * matter.
 */
export async function compareSnapshot(
  newAction: NewAction,
  toCompared: (current: unknown) => unknown = (current) => current,
): Promise<Response | ComparedTarget | null> {
  const targetReadOperation = findTargetReadOperation(newAction.target)
  if (!newAction.snapshotHash || !targetReadOperation) return null
  const { verbPhrase } = getServiceOperation(newAction.operation)
  const readAt = await readStoreTime()
  const subjectText = `You asked to ${verbPhrase}, but what you saw`
  const currentReadResult = await readService(
    targetReadOperation.get,
    { id: targetReadOperation.id } as never,
    newAction.scope,
  ).catch(createNotSentHandler(subjectText))
  if (hashSnapshot(toCompared(currentReadResult.data)) === newAction.snapshotHash) {
    const unreadableReason = whyFieldsUnreadable(newAction.operation, currentReadResult.data)
    if (unreadableReason)
      throw new AppError('not_sent', `${unreadableReason} Nothing was sent`, {
        requestId: currentReadResult.meta.request_id,
      })
    return { at: readAt, data: currentReadResult.data }
  }
  const error = new AppError(
    'changed',
    `${subjectText} has changed since. Nothing was sent: refresh and review`,
  )
  return respondError(error, currentReadResult.meta.request_id, { data: currentReadResult.data })
}

/** Undefined if the resource has no read operation. Throws the errors of the read. */
export async function readTargetFromService(
  target: string | null,
  scope: ScopedAccount,
): Promise<unknown> {
  const readOperation = findTargetReadOperation(target)
  return readOperation
    ? (await readService(readOperation.get, { id: readOperation.id } as never, scope)).data
    : undefined
}

/**
 * Reads the target of a write without a snapshot hash. The approver sees this version, and it
 * counts as the one that the requester saw. Returns null if the target's resource has no read
 * operation. Throws `not_sent`.
 */
export async function readComparedTarget(newAction: NewAction): Promise<ComparedTarget | null> {
  const comparedReadOperation = findTargetReadOperation(newAction.target)
  if (!comparedReadOperation) return null
  const readTime = await readStoreTime()
  return {
    at: readTime,
    data: await readTargetFromService(newAction.target, newAction.scope).catch(
      createNotSentHandler('The record'),
    ),
  }
}
