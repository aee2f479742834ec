import type { Operation } from '@/lib/operations/define'
import { firstReads } from '@/lib/operations/desk/first'
import type { OperationId } from '@/lib/operations/operations'
import { isServiceOperationId, serviceOperation } from '@/lib/operations/service-operations'
import { CallError } from './call-error'

const first: Readonly<Record<string, Operation>> = firstReads

/**
 * An operation by its id. The rows of Paydesk's own come with the first call of one, but for those that a page of a record reads at once. Throws `unavailable`
 * where they cannot be loaded: without the line nothing could be sent either.
 */
export async function definitionOf(id: OperationId): Promise<Operation> {
  if (isServiceOperationId(id)) return serviceOperation(id)
  const read = first[id]
  if (read) return read
  const { deskOperation } = await import('@/lib/operations/desk-operations').catch((cause: unknown) => {
    throw CallError.noAnswer(false, cause)
  })
  return deskOperation(id)
}
