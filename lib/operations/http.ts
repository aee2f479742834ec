import {
  buildApiRequestParts,
  buildRequestParts,
  type ListStyle,
  type RequestParts,
  type RequestScope,
} from './layout'
import { getOperation, type OperationId } from './operations'

/**
 * Returns method, path, query, headers and body of an operation's request. The last parameter sets
 * how the query contains a list: with commas, or as one field per value.
 */
export const toRequest = (
  id: OperationId,
  input: Record<string, unknown>,
  listStyle?: ListStyle,
): RequestParts => buildRequestParts({ id, definition: getOperation(id) }, input, listStyle)

/** Returns the request of an operation, with its URL on our own API. */
export const toApiRequest = (
  id: OperationId,
  input: Record<string, unknown>,
  scope: RequestScope,
): RequestParts & { url: string } =>
  buildApiRequestParts({ id, definition: getOperation(id) }, input, scope)
