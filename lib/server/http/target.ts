import 'server-only'
import { AppError } from '@/lib/errors'
import { isUuid } from '@/lib/formats'
import { unreadableIn } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import {
  isServiceOperationId,
  type ReadId,
  resourceOf,
  type ServiceOperationId,
  serviceOperation,
} from '@/lib/operations/service-operations'
import { nowhere } from '@/lib/server/audit/refusals'
import { type Priority, type ScopedAccount, wholePlatform } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { noteAccounts } from '@/lib/server/mirror/account-of'
import { asNotSent, type Read, readService } from '@/lib/server/service/service-read'

/**
 * Returns the object of an operation as `<resource>/<id>`. Null for a search and for an invalid id: permission is checked before the input
 * is parsed, and invalid text must not reach the store or an audit row. The kind is that of the operation, such as `charges` for a charge
 * that a payment search found.
 */
export const targetOf = (id: ServiceOperationId, params: Record<string, string>): string | null =>
  isUuid((params.id ?? '').toLowerCase()) ? `${resourceOf(id)}/${params.id?.toLowerCase()}` : null

/** Returns the priority of an operation's calls to the service. */
export const priorityOf = (operation: ServiceOperationId): Priority => (serviceOperation(operation).effect === 'read' ? 'read' : 'write')

/**
 * Reads the target in a scope, to check that it exists and to find its account. Null if its resource has no read operation. Throws the same
 * error for every missing object, and `not_sent` if the read fails.
 */
export async function readTarget(operation: ServiceOperationId, target: string, scope: ScopedAccount): Promise<Read<ReadId> | null> {
  const get = `${resourceOf(operation)}.get`
  if (!isServiceOperationId(get)) return null
  const id = target.slice(target.indexOf('/') + 1)
  return readService(get as ReadId, { id } as never, scope).catch((cause: unknown) => {
    // Omit the service's request id, because the refusal of a hidden object has none.
    if (cause instanceof AppError && cause.code === 'service_not_found') throw new AppError('service_not_found', nowhere, { cause })
    return asNotSent('The object')(cause)
  })
}

type Target = { environment: Environment; operation: ServiceOperationId; target: string }

/**
 * Reads the account that an object names, in the platform's own scope, and stores it. Null if the object belongs to the platform. Throws
 * `not_sent` if the account cannot be read: otherwise, the object would count as one of the platform.
 */
export async function accountInService(actor: Actor, { environment, operation, target }: Target): Promise<string | null> {
  const scope = wholePlatform(environment, { person: actor.id, priority: priorityOf(operation) })
  const read = await readTarget(operation, target, scope)
  if (unreadableIn(read?.data).some(({ field }) => field === 'account_id')) {
    throw new AppError('not_sent', 'The service names an account of this object that cannot be read. Nothing was sent')
  }
  const { account_id: account = null } = (read?.data ?? {}) as { account_id?: string | null }
  if (account) noteAccounts(environment, [target], account)
  return account
}
