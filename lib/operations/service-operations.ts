import { type RecordResource, recordResources } from '@/lib/routes'
import { accountSettings, accounts, capabilityRequests, organizations } from './accounts'
import { customers } from './customers'
import type { ActionHook, Effect, ReasonHandling, Resource, ServiceOperation } from './define'
import { fundingEvents } from './funding-events'
import type { AccountHeaderRule, Integration } from './integration'
import { linkedBankAccounts } from './linked-bank-accounts'
import { bridge, paykeys } from './paykeys'
import { payments } from './payments'
import { representatives } from './representatives'

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

export type ServiceOperationId = keyof typeof serviceOperations

type OperationIdWithEffect<E extends Effect> = {
  [K in ServiceOperationId]: (typeof serviceOperations)[K]['effect'] extends E ? K : never
}[ServiceOperationId]

export type ReadId = OperationIdWithEffect<'read'>
export type WriteId = Exclude<ServiceOperationId, ReadId>

export type OperationIdWithReason = {
  [K in WriteId]: (typeof serviceOperations)[K] extends { reason: ReasonHandling } ? K : never
}[WriteId]

export type OperationIdWithHooks = {
  [K in ServiceOperationId]: (typeof serviceOperations)[K] extends { hooks: readonly ActionHook[] }
    ? K
    : never
}[ServiceOperationId]
export type OperationHooks<K extends OperationIdWithHooks> =
  (typeof serviceOperations)[K]['hooks'][number]

export const serviceOperationIds = Object.keys(serviceOperations) as ServiceOperationId[]

export const getServiceOperation = (id: ServiceOperationId): ServiceOperation =>
  serviceOperations[id]

/** False for an operation that this kind of integration does not have. */
export const isOperationOf = (id: ServiceOperationId, integration: Integration): boolean =>
  !(getServiceOperation(id).platformOnly && integration === 'account')

export function getAccountHeaderRule(
  id: ServiceOperationId,
  integration: Integration,
): AccountHeaderRule {
  const { accountHeader } = getServiceOperation(id)
  if (accountHeader === 'forbidden' || integration === 'account') return 'forbidden'
  return accountHeader[integration]
}

export const toServiceResource = (id: ServiceOperationId): Resource =>
  id.slice(0, id.indexOf('.')) as Resource

export const isServiceOperationId = (id: string): id is ServiceOperationId =>
  Object.hasOwn(serviceOperations, id)

/** The lists in the mirror, our stored copy of the data of the service. */
export type MirrorListId = {
  [K in ReadId]: (typeof serviceOperations)[K] extends { mirrored: true } ? K : never
}[ReadId]

export const isMirrored = (id: ReadId): id is MirrorListId =>
  getServiceOperation(id).mirrored === true

/** Reads of single objects that the mirror, our stored copy of the data of the service, has too. */
export type RecordGetId = `${RecordResource}.get`

export const isRecordGet = (id: string): id is RecordGetId =>
  recordResources.some((resource) => id === `${resource}.get`)

/** Reads that reveal masked data. Each read requires a reason, is counted and is audited. */
export type SensitiveOperationId = {
  [K in ServiceOperationId]: (typeof serviceOperations)[K] extends { sensitive: true } ? K : never
}[ServiceOperationId]
