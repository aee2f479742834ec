import 'server-only'
import { setImmediate as breathe } from 'node:timers/promises'
import { schemasOf } from '@/lib/operations/registry'
import { isServiceOperationId, resourceOf, type ServiceOperationId, serviceOperation } from '@/lib/operations/service-operations'
import { keepObjects, type Seeing } from './keep'
import { type MirroredResource, mirrored } from './mirrored'

/** Rows kept in one statement: on the embedded store every request waits meanwhile. */
export const keptAtOnce = 100

/** `isWhole`: payments were asked for with their metadata. */
type Answered = Omit<Seeing<MirroredResource>, 'resource' | 'objects'> & { isWhole?: boolean }

/** The resource whose objects an operation answers with, as its lists or its read show them; null for every other answer. */
function resourceIn(id: ServiceOperationId): MirroredResource | null {
  const resource = resourceOf(id)
  const { mirrored: isList, sensitive, internal } = serviceOperation(id)
  if (!Object.hasOwn(mirrored, resource) || sensitive || internal) return null
  const get = `${resource}.get`
  const isObject = isServiceOperationId(get) && schemasOf(id).output === schemasOf(get).output
  return isList || isObject ? (resource as MirroredResource) : null
}

type Shown = Record<string, unknown>

function objectsIn(resource: MirroredResource, data: unknown, { account, isWhole }: Answered): Shown[] {
  const rows = [data as Shown | Shown[]].flat()
  if (resource === 'account_settings') return account ? rows.map((row) => ({ ...row, id: account })) : []
  // A search that did not ask for metadata answers with none, which says nothing about what is there.
  return resource === 'payments' && !isWhole ? rows.map(({ metadata: _, ...row }) => row) : rows
}

/** Keeps the objects of an answer that passed through, of a read or a write; of any other answer nothing. Throws what the store throws. */
export async function keepAnswer(id: ServiceOperationId, data: unknown, answered: Answered): Promise<void> {
  const resource = resourceIn(id)
  if (!resource) return
  const objects = objectsIn(resource, data, answered)
  for (let from = 0; from < objects.length; from += keptAtOnce) {
    if (from > 0) await breathe()
    const { environment, account, seenBy, seenAt } = answered
    await keepObjects({ environment, resource, account, seenBy, seenAt, objects: objects.slice(from, from + keptAtOnce) as never[] })
  }
}
