import { type RecordResource, recordResources } from '@/lib/routes'
import { accountSettings, accounts, capabilityRequests, organizations } from './accounts'
import { customers } from './customers'
import type { Effect, Hook, ReasonPolicy, Resource, ServiceOperation } from './define'
import { fundingEvents } from './funding-events'
import { linkedBankAccounts } from './linked-bank-accounts'
import { bridge, paykeys } from './paykeys'
import { payments } from './payments'
import { representatives } from './representatives'

/** The whole contract as plain data: operations, roles, scopes, and the reads that a write makes stale. */
export const serviceOperations = {
  ...payments,
  ...customers,
  ...paykeys,
  ...bridge,
  ...fundingEvents,
  ...accounts,
  ...accountSettings,
  ...capabilityRequests,
  ...organizations,
  ...representatives,
  ...linkedBankAccounts,
}

/** The id of an operation of the service, `resource.verb`: the same in the registry, the query key, the audit row and the log. */
export type ServiceOperationId = keyof typeof serviceOperations

type WithEffect<E extends Effect> = {
  [K in ServiceOperationId]: (typeof serviceOperations)[K]['effect'] extends E ? K : never
}[ServiceOperationId]

export type ReadId = WithEffect<'read'>
export type WriteId = Exclude<ServiceOperationId, ReadId>

/** Writes that require a reason: their forms must offer reasons. */
export type ReasonedId = { [K in WriteId]: (typeof serviceOperations)[K] extends { reason: ReasonPolicy } ? K : never }[WriteId]

export type HookedId = {
  [K in ServiceOperationId]: (typeof serviceOperations)[K] extends { hooks: readonly Hook[] } ? K : never
}[ServiceOperationId]
export type OperationHooks<K extends HookedId> = (typeof serviceOperations)[K]['hooks'][number]

export const serviceOperationIds = Object.keys(serviceOperations) as ServiceOperationId[]

export const serviceOperation = (id: ServiceOperationId): ServiceOperation => serviceOperations[id]

/** Returns the resource of an operation: the part of its id before the dot. */
export const toServiceResource = (id: ServiceOperationId): Resource => id.slice(0, id.indexOf('.')) as Resource

export const isServiceOperationId = (id: string): id is ServiceOperationId => Object.hasOwn(serviceOperations, id)

/** Lists that can be read from the mirror. */
export type MirrorListId = {
  [K in ReadId]: (typeof serviceOperations)[K] extends { mirrored: true } ? K : never
}[ReadId]

export const isMirrored = (id: ReadId): id is MirrorListId => serviceOperation(id).mirrored === true

/** The operations that read one object with its own page. The mirror has these objects too. */
export type RecordGetId = `${RecordResource}.get`

export const isRecordGet = (id: string): id is RecordGetId => recordResources.some((resource) => id === `${resource}.get`)

/** Reads of masked data. Each one needs a reason, is counted and is audited. */
export type SensitiveId = {
  [K in ServiceOperationId]: (typeof serviceOperations)[K] extends { sensitive: true } ? K : never
}[ServiceOperationId]
