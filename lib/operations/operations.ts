import type { Operation } from './define'
import { type DeskOperationId, deskOperations } from './desk-operations'
import { serviceOperations } from './service-operations'

/**
 * All endpoints of our API: the operations that are forwarded to the service, and Paydesk's own.
 */
const operations = { ...serviceOperations, ...deskOperations }

type Operations = typeof operations

/**
 * The id of an operation, `resource.verb`. The route, the query key, the audit row and the log use
 * the same id. `S` limits the type to the operations of the service or of Paydesk.
 */
export type OperationId<S extends Operation['source'] = Operation['source']> = {
  [K in keyof Operations]: Operations[K]['source'] extends S ? K : never
}[keyof Operations]

export const operationIds = Object.keys(operations) as OperationId[]

export const isOperationId = (id: string): id is OperationId => Object.hasOwn(operations, id)

/** True if the operation is one of Paydesk itself, not of the payments service. */
export const isDeskOperation = (id: OperationId): id is DeskOperationId =>
  Object.hasOwn(deskOperations, id)

export const getOperation = (id: OperationId): Operation => operations[id]
