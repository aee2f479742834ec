import type { Operation } from './define'
import { type DeskOperationId, deskOperations } from './desk-operations'
import { serviceOperations } from './service-operations'

/** All endpoints of our API: the operations that are forwarded to the service, and Paydesk's own. */
const operations = { ...serviceOperations, ...deskOperations }

type Operations = typeof operations

/**
 * The id of an operation, `resource.verb`: the same in the route, the query key, the audit row and the log. `S` limits it to one source.
 */
export type OperationId<S extends Operation['source'] = Operation['source']> = {
  [K in keyof Operations]: Operations[K]['source'] extends S ? K : never
}[keyof Operations]

export const operationIds = Object.keys(operations) as OperationId[]

export const isOperationId = (id: string): id is OperationId => Object.hasOwn(operations, id)

/** True if the operation is one of Paydesk's own. */
export const isDeskOperation = (id: OperationId): id is DeskOperationId => Object.hasOwn(deskOperations, id)

export const operation = (id: OperationId): Operation => operations[id]
