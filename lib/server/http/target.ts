import 'server-only'
import { AppError } from '@/lib/errors'
import { isUuid } from '@/lib/formats'
import { getUnreadableFields } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import {
  getServiceOperation,
  isServiceOperationId,
  type ReadId,
  type ServiceOperationId,
  toServiceResource,
} from '@/lib/operations/service-operations'
import { hiddenObjectText } from '@/lib/server/audit/refusals'
import {
  type CallPriority,
  createPlatformScope,
  type ScopedAccount,
} from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { cacheObjectAccounts } from '@/lib/server/mirror/object-accounts'
import {
  createNotSentHandler,
  readService,
  type ServiceReadResult,
} from '@/lib/server/service/service-read'

/**
 * Null for a search or an invalid id. The permission check runs before the input is parsed, and
 * invalid text must not reach the store or an audit row.
 */
export const toTarget = (id: ServiceOperationId, params: Record<string, string>): string | null =>
  isUuid((params.id ?? '').toLowerCase())
    ? `${toServiceResource(id)}/${params.id?.toLowerCase()}`
    : null

export const toCallPriority = (operation: ServiceOperationId): CallPriority =>
  getServiceOperation(operation).effect === 'read' ? 'read' : 'write'

/** Null if the resource has no single read. Throws the same error for every missing object. */
export async function readTargetInScope(
  operation: ServiceOperationId,
  target: string,
  scope: ScopedAccount,
): Promise<ServiceReadResult<ReadId> | null> {
  const singleReadId = `${toServiceResource(operation)}.get`
  if (!isServiceOperationId(singleReadId)) return null
  const id = target.slice(target.indexOf('/') + 1)
  return readService(singleReadId as ReadId, { id } as never, scope).catch((cause: unknown) => {
    // A hidden object gets the same error without a request id of the service: omit it here too.
    if (cause instanceof AppError && cause.code === 'service_not_found')
      throw new AppError('service_not_found', hiddenObjectText, { cause })
    return createNotSentHandler('The object')(cause)
  })
}

type RequestTarget = { environment: Environment; operation: ServiceOperationId; target: string }

/**
 * Null if the object belongs to the platform. Throws `not_sent` if the account cannot be read:
 * otherwise, the object would be treated as one of the platform.
 */
export async function readTargetAccount(
  actor: Actor,
  { environment, operation, target }: RequestTarget,
): Promise<string | null> {
  const scope = createPlatformScope(environment, {
    person: actor.id,
    priority: toCallPriority(operation),
  })
  const targetReadResult = await readTargetInScope(operation, target, scope)
  if (getUnreadableFields(targetReadResult?.data).some(({ field }) => field === 'account_id')) {
    throw new AppError(
      'not_sent',
      'The service names an account of this object that cannot be read. Nothing was sent',
    )
  }
  const { account_id: account = null } = (targetReadResult?.data ?? {}) as {
    account_id?: string | null
  }
  if (account) cacheObjectAccounts(environment, [target], account)
  return account
}
