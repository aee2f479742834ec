import type { Operation } from './define'
import { type DeskOperationId, deskOperations } from './desk-operations'
import { serviceOperations } from './service-operations'

const operations = { ...serviceOperations, ...deskOperations }

type Operations = typeof operations

/** `resource.verb`; the route, the query key, the audit row and the log use the same id. */
export type OperationId<S extends Operation['source'] = Operation['source']> = {
  [K in keyof Operations]: Operations[K]['source'] extends S ? K : never
}[keyof Operations]

export const operationIds = Object.keys(operations) as OperationId[]

export const isOperationId = (id: string): id is OperationId => Object.hasOwn(operations, id)

export const isDeskOperation = (id: OperationId): id is DeskOperationId =>
  Object.hasOwn(deskOperations, id)

export const getOperation = (id: OperationId): Operation => operations[id]
