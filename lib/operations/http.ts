import { type ListStyle, layOutApiRequest, layOutRequest, type RequestLayout, type RequestScope } from './layout'
import { type OperationId, operation } from './operations'

/** Returns method, path, query, headers and body of an operation's request. `lists` is the form of lists in the query. */
export const toRequest = (id: OperationId, input: Record<string, unknown>, lists?: ListStyle): RequestLayout =>
  layOutRequest({ id, definition: operation(id) }, input, lists)

/** Returns the request of an operation, with its URL on our own API. */
export const toApiRequest = (id: OperationId, input: Record<string, unknown>, scope: RequestScope): RequestLayout & { url: string } =>
  layOutApiRequest({ id, definition: operation(id) }, input, scope)
