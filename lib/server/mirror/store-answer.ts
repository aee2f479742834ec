import 'server-only'
import { setImmediate as breathe } from 'node:timers/promises'
import type { Environment } from '@/lib/operations/define'
import { getSchemas } from '@/lib/operations/registry'
import {
  getServiceOperation,
  isServiceOperationId,
  type ServiceOperationId,
  toServiceResource,
} from '@/lib/operations/service-operations'
import { type MirroredResource, mirrorTables } from './mirrored'
import { cacheAccounts } from './object-accounts'
import { type MirrorWrite, upsertObjects } from './upsert-objects'

/**
 * Maximum rows per statement. While the embedded store runs a statement, every other request waits.
 */
export const mirrorBatchSize = 100

/**
 * Facts about a response of the service. `isWhole` is true if its payments were requested with
 * their metadata.
 */
type AnswerContext = Omit<MirrorWrite<MirroredResource>, 'resource' | 'objects'> & {
  isWhole?: boolean
}

/**
 * Returns the resource of the objects in the response of an operation; null if the mirror does not
 * store this response. A write can create an object of another resource. Its response then contains
 * that object.
 */
function findMirroredResource(id: ServiceOperationId): MirroredResource | null {
  const { mirrored: isList, sensitive, internal, creates } = getServiceOperation(id)
  const resource = creates && creates !== 'several' ? creates : toServiceResource(id)
  if (!Object.hasOwn(mirrorTables, resource) || sensitive || internal) return null
  const singleReadId = `${resource}.get`
  const isSingleObject =
    isServiceOperationId(singleReadId) && getSchemas(id).output === getSchemas(singleReadId).output
  return isList || isSingleObject ? (resource as MirroredResource) : null
}

type AnswerObject = Record<string, unknown>

function toMirrorObjects(
  resource: MirroredResource,
  data: unknown,
  { account, isWhole }: AnswerContext,
): AnswerObject[] {
  const rows = [data as AnswerObject | AnswerObject[]].flat()
  if (resource === 'account_settings')
    return account ? rows.map((row) => ({ ...row, id: account })) : []
  // A search without `include_metadata` returns empty metadata even if a payment has some. So the
  // field is omitted, and the stored metadata is not overwritten.
  return resource === 'payments' && !isWhole ? rows.map(({ metadata: _, ...row }) => row) : rows
}

/** Returns the objects as targets (`<resource>/<id>`). A payment is a charge or a payout. */
function toTargets(resource: MirroredResource, objects: readonly AnswerObject[]): string[] {
  if (resource !== 'payments') return objects.map(({ id }) => `${resource}/${id}`)
  return objects.map(
    ({ id, payment_type }) => `${payment_type === 'charge' ? 'charges' : 'payouts'}/${id}`,
  )
}

/**
 * Stores in memory that the objects of a response belong to this account. A write right after the
 * read needs the account, and the rows of the objects are written only later.
 */
export function cacheAnswerAccount(
  id: ServiceOperationId,
  data: unknown,
  environment: Environment,
  account: string,
): void {
  const resource = findMirroredResource(id)
  if (resource)
    cacheAccounts(
      environment,
      toTargets(resource, [data as AnswerObject | AnswerObject[]].flat()),
      account,
    )
}

/**
 * Writes the objects in a response to the mirror. Ignores a response that is not mirrored. Throws
 * store errors.
 */
export async function storeAnswer(
  id: ServiceOperationId,
  data: unknown,
  context: AnswerContext,
): Promise<void> {
  const resource = findMirroredResource(id)
  if (!resource) return
  const objects = toMirrorObjects(resource, data, context)
  for (let from = 0; from < objects.length; from += mirrorBatchSize) {
    if (from > 0) await breathe()
    const { isWhole: _, ...seeing } = context
    await upsertObjects({
      ...seeing,
      resource,
      objects: objects.slice(from, from + mirrorBatchSize) as never[],
    })
  }
}
