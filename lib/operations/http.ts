import { addressOf, type Layout, type ListStyle, layoutOf, type RequestScope } from './layout'
import { type OperationId, operation } from './operations'

/** Returns method, path, query, headers and body of an operation's request. `lists` is the form of lists in the query. */
export const toRequest = (id: OperationId, input: Record<string, unknown>, lists?: ListStyle): Layout =>
  layoutOf({ id, definition: operation(id) }, input, lists)

/** Returns the request of an operation, with its URL on our own API. */
export const addressed = (id: OperationId, input: Record<string, unknown>, scope: RequestScope): Layout & { url: string } =>
  addressOf({ id, definition: operation(id) }, input, scope)
