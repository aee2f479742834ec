/** One write request, repeated with the same bytes under the same Idempotency-Key. */
export type Write = {
  key: string
  /** Operation id, as in the journal. */
  operation: string
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  /** Account id without its prefix. */
  account: string
  contentType: string
  body: string | Uint8Array
}

export type Answered = { status: number; text: string; replayed: boolean }

/** A write and its response; without a response, its effect is unknown. */
export type Sent = { write: Write; answer: Answered | undefined }

/** True if the service acknowledged the write. */
export const isAcknowledged = (answer: Answered | undefined): boolean => answer !== undefined && answer.status >= 200 && answer.status < 300

export const dataOf = ({ text }: Answered): Record<string, unknown> & { id: string } =>
  (JSON.parse(text) as { data: Record<string, unknown> & { id: string } }).data

/** Returns the collection of the object that a write creates or changes. A refund of a charge creates a payout. */
export function collectionOf(operation: string): 'charges' | 'payouts' | 'paykeys' | 'customers' {
  if (operation === 'charges.refund') return 'payouts'
  const [room] = operation.split('.')
  if (room === 'charges' || room === 'payouts' || room === 'customers') return room
  return 'paykeys'
}
