import 'server-only'
import { AppError } from '@/lib/errors'
import { isUuid } from '@/lib/formats'
import { listUnreadable } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import {
  isServiceOperationId,
  type ReadId,
  type ServiceOperationId,
  serviceOperation,
  toServiceResource,
} from '@/lib/operations/service-operations'
import { hiddenObjectText } from '@/lib/server/audit/refusals'
import { type CallPriority, createPlatformScope, type ScopedAccount } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { cacheAccounts } from '@/lib/server/mirror/object-accounts'
import { readService, type ServiceReadResult, throwNotSent } from '@/lib/server/service/service-read'

/**
 * Returns the object of an operation as `<resource>/<id>`. Null for a search and for an invalid id: permission is checked before the input
 * is parsed, and invalid text must not reach the store or an audit row. The kind is that of the operation, such as `charges` for a charge
 * that a payment search found.
 */
export const toTarget = (id: ServiceOperationId, params: Record<string, string>): string | null =>
  isUuid((params.id ?? '').toLowerCase()) ? `${toServiceResource(id)}/${params.id?.toLowerCase()}` : null

/** Returns the priority of an operation's calls to the service. */
export const toPriority = (operation: ServiceOperationId): CallPriority =>
  serviceOperation(operation).effect === 'read' ? 'read' : 'write'

/**
 * Reads the target in a scope, to check that it exists and to find its account. Null if its resource has no read operation. Throws the same
 * error for every missing object, and `not_sent` if the read fails.
 */
export async function readTargetInScope(
  operation: ServiceOperationId,
  target: string,
  scope: ScopedAccount,
): Promise<ServiceReadResult<ReadId> | null> {
  const singleReadId = `${toServiceResource(operation)}.get`
  if (!isServiceOperationId(singleReadId)) return null
  const id = target.slice(target.indexOf('/') + 1)
  return readService(singleReadId as ReadId, { id } as never, scope).catch((cause: unknown) => {
    // Omit the service's request id, because the refusal of a hidden object has none.
    if (cause instanceof AppError && cause.code === 'service_not_found')
      throw new AppError('service_not_found', hiddenObjectText, { cause })
    return throwNotSent('The object')(cause)
  })
}

type RequestTarget = { environment: Environment; operation: ServiceOperationId; target: string }

/**
 * Reads the account that an object names, in the platform's own scope, and stores it. Null if the object belongs to the platform. Throws
 * `not_sent` if the account cannot be read: otherwise, the object would count as one of the platform.
 */
export async function readServiceAccount(actor: Actor, { environment, operation, target }: RequestTarget): Promise<string | null> {
  const scope = createPlatformScope(environment, { person: actor.id, priority: toPriority(operation) })
  const read = await readTargetInScope(operation, target, scope)
  if (listUnreadable(read?.data).some(({ field }) => field === 'account_id')) {
    throw new AppError('not_sent', 'The service names an account of this object that cannot be read. Nothing was sent')
  }
  const { account_id: account = null } = (read?.data ?? {}) as { account_id?: string | null }
  if (account) cacheAccounts(environment, [target], account)
  return account
}
