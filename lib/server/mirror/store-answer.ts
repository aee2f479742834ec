import 'server-only'
import { setImmediate as breathe } from 'node:timers/promises'
import type { Environment } from '@/lib/operations/define'
import { getSchemas } from '@/lib/operations/registry'
import { isServiceOperationId, type ServiceOperationId, serviceOperation, toServiceResource } from '@/lib/operations/service-operations'
import { type MirroredResource, mirrorTables } from './mirrored'
import { cacheAccounts } from './object-accounts'
import { type MirrorWrite, upsertObjects } from './upsert-objects'

/** Maximum rows per statement. During a statement, the embedded store blocks every request. */
export const mirrorBatchSize = 100

/** Facts about a response. `isWhole` is true if payments were requested with their metadata. */
type AnswerContext = Omit<MirrorWrite<MirroredResource>, 'resource' | 'objects'> & { isWhole?: boolean }

/**
 * Returns the mirrored resource of the objects in an operation's response, or null if the response is not mirrored. The response of a write
 * that creates an object of another resource contains that object.
 */
function findMirroredResource(id: ServiceOperationId): MirroredResource | null {
  const { mirrored: isList, sensitive, internal, creates } = serviceOperation(id)
  const resource = creates && creates !== 'several' ? creates : toServiceResource(id)
  if (!Object.hasOwn(mirrorTables, resource) || sensitive || internal) return null
  const singleReadId = `${resource}.get`
  const isObject = isServiceOperationId(singleReadId) && getSchemas(id).output === getSchemas(singleReadId).output
  return isList || isObject ? (resource as MirroredResource) : null
}

type AnswerObject = Record<string, unknown>

function toMirrorObjects(resource: MirroredResource, data: unknown, { account, isWhole }: AnswerContext): AnswerObject[] {
  const rows = [data as AnswerObject | AnswerObject[]].flat()
  if (resource === 'account_settings') return account ? rows.map((row) => ({ ...row, id: account })) : []
  // A search without `include_metadata` returns empty metadata even for a payment with metadata, so the field is omitted.
  return resource === 'payments' && !isWhole ? rows.map(({ metadata: _, ...row }) => row) : rows
}

/** Returns the targets of objects. Payments are charges and payouts. */
function toTargets(resource: MirroredResource, objects: readonly AnswerObject[]): string[] {
  if (resource !== 'payments') return objects.map(({ id }) => `${resource}/${id}`)
  return objects.map(({ id, payment_type }) => `${payment_type === 'charge' ? 'charges' : 'payouts'}/${id}`)
}

/** Stores the account of the objects in an account-scoped response in memory, before their rows are written. */
export function cacheAnswerAccount(id: ServiceOperationId, data: unknown, environment: Environment, account: string): void {
  const resource = findMirroredResource(id)
  if (resource) cacheAccounts(environment, toTargets(resource, [data as AnswerObject | AnswerObject[]].flat()), account)
}

/** Writes the objects in a response to the mirror. Ignores a response that is not mirrored. Throws store errors. */
export async function storeAnswer(id: ServiceOperationId, data: unknown, context: AnswerContext): Promise<void> {
  const resource = findMirroredResource(id)
  if (!resource) return
  const objects = toMirrorObjects(resource, data, context)
  for (let from = 0; from < objects.length; from += mirrorBatchSize) {
    if (from > 0) await breathe()
    const { isWhole: _, ...seeing } = context
    await upsertObjects({ ...seeing, resource, objects: objects.slice(from, from + mirrorBatchSize) as never[] })
  }
}
