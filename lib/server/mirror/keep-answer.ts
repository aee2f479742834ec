import 'server-only'
import { setImmediate as breathe } from 'node:timers/promises'
import type { Environment } from '@/lib/operations/define'
import { schemasOf } from '@/lib/operations/registry'
import { isServiceOperationId, resourceOf, type ServiceOperationId, serviceOperation } from '@/lib/operations/service-operations'
import { noteAccounts } from './account-of'
import { keepObjects, type Seeing } from './keep'
import { type MirroredResource, mirrored } from './mirrored'

/** Maximum rows per statement. During a statement, the embedded store blocks every request. */
export const keptAtOnce = 100

/** Facts about a response. `isWhole` is true if payments were requested with their metadata. */
type Answered = Omit<Seeing<MirroredResource>, 'resource' | 'objects'> & { isWhole?: boolean }

/**
 * Returns the mirrored resource of the objects in an operation's response, or null if the response is not mirrored. The response of a write
 * that creates an object of another resource contains that object.
 */
function resourceIn(id: ServiceOperationId): MirroredResource | null {
  const { mirrored: isList, sensitive, internal, creates } = serviceOperation(id)
  const resource = creates && creates !== 'several' ? creates : resourceOf(id)
  if (!Object.hasOwn(mirrored, resource) || sensitive || internal) return null
  const get = `${resource}.get`
  const isObject = isServiceOperationId(get) && schemasOf(id).output === schemasOf(get).output
  return isList || isObject ? (resource as MirroredResource) : null
}

type Shown = Record<string, unknown>

function objectsIn(resource: MirroredResource, data: unknown, { account, isWhole }: Answered): Shown[] {
  const rows = [data as Shown | Shown[]].flat()
  if (resource === 'account_settings') return account ? rows.map((row) => ({ ...row, id: account })) : []
  // A search without `include_metadata` returns empty metadata even for a payment with metadata, so the field is omitted.
  return resource === 'payments' && !isWhole ? rows.map(({ metadata: _, ...row }) => row) : rows
}

/** Returns the targets of objects. Payments are charges and payouts. */
function targetsOf(resource: MirroredResource, objects: readonly Shown[]): string[] {
  if (resource !== 'payments') return objects.map(({ id }) => `${resource}/${id}`)
  return objects.map(({ id, payment_type }) => `${payment_type === 'charge' ? 'charges' : 'payouts'}/${id}`)
}

/** Stores the account of the objects in an account-scoped response in memory, before their rows are written. */
export function noteAnswer(id: ServiceOperationId, data: unknown, environment: Environment, account: string): void {
  const resource = resourceIn(id)
  if (resource) noteAccounts(environment, targetsOf(resource, [data as Shown | Shown[]].flat()), account)
}

/** Writes the objects in a response to the mirror. Ignores a response that is not mirrored. Throws store errors. */
export async function keepAnswer(id: ServiceOperationId, data: unknown, answered: Answered): Promise<void> {
  const resource = resourceIn(id)
  if (!resource) return
  const objects = objectsIn(resource, data, answered)
  for (let from = 0; from < objects.length; from += keptAtOnce) {
    if (from > 0) await breathe()
    const { isWhole: _, ...seeing } = answered
    await keepObjects({ ...seeing, resource, objects: objects.slice(from, from + keptAtOnce) as never[] })
  }
}
