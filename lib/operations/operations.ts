import type { Operation } from './define'
import { type DeskOperationId, deskOperations } from './desk-operations'
import { serviceOperations } from './service-operations'

/** Every endpoint of ours: the operations of the service that we pass on, and Paydesk's own. */
const operations = { ...serviceOperations, ...deskOperations }

type Operations = typeof operations

/** `resource.verb`: the same word in the route, the query key, the audit row and the log. Of one source, or of both. */
export type OperationId<S extends Operation['source'] = Operation['source']> = {
  [K in keyof Operations]: Operations[K]['source'] extends S ? K : never
}[keyof Operations]

export const operationIds = Object.keys(operations) as OperationId[]

/** Whether a word is the id of an operation. */
export const isOperationId = (id: string): id is OperationId => Object.hasOwn(operations, id)

/** Whether an operation is one of Paydesk's own. */
export const isDesk = (id: OperationId): id is DeskOperationId => Object.hasOwn(deskOperations, id)

/** An operation by its id, with its type widened to what every one has. */
export const operation = (id: OperationId): Operation => operations[id]
