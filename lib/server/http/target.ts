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
import { cacheAccounts } from '@/lib/server/mirror/object-accounts'
import {
  createNotSentHandler,
  readService,
  type ServiceReadResult,
} from '@/lib/server/service/service-read'

/**
 * Returns the object of an operation as `<resource>/<id>`. Null for a search, and for an invalid
 * id: the permission check runs before the input is parsed, and invalid text must not reach the
 * store or an audit row. The resource is that of the operation. For example, a charge that a
 * payment search found is `charges/<id>`.
 */
export const toTarget = (id: ServiceOperationId, params: Record<string, string>): string | null =>
  isUuid((params.id ?? '').toLowerCase())
    ? `${toServiceResource(id)}/${params.id?.toLowerCase()}`
    : null

export const toCallPriority = (operation: ServiceOperationId): CallPriority =>
  getServiceOperation(operation).effect === 'read' ? 'read' : 'write'

/**
 * Reads the target in a scope, to check that it exists and to find its account. Null if no
 * operation can read a single object of its resource. Throws the same error for every missing
 * object, and `not_sent` if the read fails.
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
    // An object that exists but is hidden from the person gets the same error, without a request id
    // of the service. So omit the id here too. Otherwise, the two cases would differ.
    if (cause instanceof AppError && cause.code === 'service_not_found')
      throw new AppError('service_not_found', hiddenObjectText, { cause })
    return createNotSentHandler('The object')(cause)
  })
}

type RequestTarget = { environment: Environment; operation: ServiceOperationId; target: string }

/**
 * Reads, in the scope of the platform, the account that an object belongs to, and caches it in
 * memory. Null if the object belongs to the platform. Throws `not_sent` if the account cannot be
 * read. Otherwise, the object would be treated as one of the platform.
 */
export async function readServiceAccount(
  actor: Actor,
  { environment, operation, target }: RequestTarget,
): Promise<string | null> {
  const scope = createPlatformScope(environment, {
    person: actor.id,
    priority: toCallPriority(operation),
  })
  const read = await readTargetInScope(operation, target, scope)
  if (getUnreadableFields(read?.data).some(({ field }) => field === 'account_id')) {
    throw new AppError(
      'not_sent',
      'The service names an account of this object that cannot be read. Nothing was sent',
    )
  }
  const { account_id: account = null } = (read?.data ?? {}) as { account_id?: string | null }
  if (account) cacheAccounts(environment, [target], account)
  return account
}
