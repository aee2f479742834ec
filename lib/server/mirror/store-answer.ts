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
import { cacheObjectAccounts } from './object-accounts'
import { type MirrorWrite, upsertObjects } from './upsert-objects'

/**
 * Rows per statement. It is small, because every other request waits while the embedded store runs
 * a statement.
 */
export const mirrorBatchSize = 100

/** `isWhole` is true if the payments were requested with their metadata. */
type AnswerContext = Omit<MirrorWrite<MirroredResource>, 'resource' | 'objects'> & {
  isWhole?: boolean
}

/**
 * Null if the mirror does not store this response. A write can create an object of another
 * resource; its response then contains that object.
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
  const answerObjects = [data as AnswerObject | AnswerObject[]].flat()
  if (resource === 'account_settings')
    return account ? answerObjects.map((row) => ({ ...row, id: account })) : []
  // Without `include_metadata`, a search returns empty metadata: do not overwrite the stored one.
  return resource === 'payments' && !isWhole
    ? answerObjects.map(({ metadata: _, ...row }) => row)
    : answerObjects
}

function toTargets(resource: MirroredResource, objects: readonly AnswerObject[]): string[] {
  if (resource !== 'payments') return objects.map(({ id }) => `${resource}/${id}`)
  return objects.map(
    ({ id, payment_type }) => `${payment_type === 'charge' ? 'charges' : 'payouts'}/${id}`,
  )
}

/**
 * Remembers the account of the objects in a response at once, because a write right after the read
 * needs it and the rows are written only later.
 */
export function cacheAnswerAccount(
  id: ServiceOperationId,
  data: unknown,
  environment: Environment,
  account: string,
): void {
  const resource = findMirroredResource(id)
  if (resource)
    cacheObjectAccounts(
      environment,
      toTargets(resource, [data as AnswerObject | AnswerObject[]].flat()),
      account,
    )
}

/** Ignores a response that is not mirrored. */
export async function storeAnswerInMirror(
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
