import {
  buildApiRequestParts,
  buildRequestParts,
  type QueryListStyle,
  type RequestParts,
  type RequestScope,
} from './layout'
import { getOperation, type OperationId } from './operations'

/** `listStyle`: how the query contains a list, with commas or as one field per value. */
export const toRequestParts = (
  id: OperationId,
  input: Record<string, unknown>,
  listStyle?: QueryListStyle,
): RequestParts => buildRequestParts({ id, definition: getOperation(id) }, input, listStyle)

export const toApiRequestParts = (
  id: OperationId,
  input: Record<string, unknown>,
  scope: RequestScope,
): RequestParts & { url: string } =>
  buildApiRequestParts({ id, definition: getOperation(id) }, input, scope)
