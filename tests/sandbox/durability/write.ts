/** One write request. A repetition has the same bytes and the same Idempotency-Key. */
export type WriteRequest = {
  key: string
  /** Operation id as in the journal. */
  operation: string
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  /** Account id without the prefix `acct_`. */
  account: string
  contentType: string
  body: string | Uint8Array
}

export type WriteResponse = { status: number; text: string; replayed: boolean }

/**
 * A write and its response. The response is undefined if none arrived: the service may or may not
 * have done the write.
 */
export type SentWrite = { write: WriteRequest; answer: WriteResponse | undefined }

export const isAcknowledged = (response: WriteResponse | undefined): boolean =>
  response !== undefined && response.status >= 200 && response.status < 300

export const readResponseData = ({
  text,
}: WriteResponse): Record<string, unknown> & { id: string } =>
  (JSON.parse(text) as { data: Record<string, unknown> & { id: string } }).data

/**
 * Returns the collection of the object that a write creates or changes. For a refund it is
 * `payouts`, because it creates a payout.
 */
export function toCollection(operation: string): 'charges' | 'payouts' | 'paykeys' | 'customers' {
  if (operation === 'charges.refund') return 'payouts'
  const [resource] = operation.split('.')
  if (resource === 'charges' || resource === 'payouts' || resource === 'customers') return resource
  return 'paykeys'
}
