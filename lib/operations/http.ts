import { addressOf, type Layout, type ListStyle, layoutOf, type RequestScope } from './layout'
import { type OperationId, operation } from './operations'

/** Returns the request of an operation, as `layoutOf` does. */
export const toRequest = (id: OperationId, input: Record<string, unknown>, lists?: ListStyle): Layout =>
  layoutOf({ id, definition: operation(id) }, input, lists)

/** Returns the same with its URL on our own API. */
export const addressed = (id: OperationId, input: Record<string, unknown>, scope: RequestScope): Layout & { url: string } =>
  addressOf({ id, definition: operation(id) }, input, scope)
