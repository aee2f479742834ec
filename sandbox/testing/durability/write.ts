/** One request that changes something, as it is sent and sent again: the same bytes under the same Idempotency-Key. */
export type Write = {
  key: string
  /** The operation's id, the word the journal uses. */
  operation: string
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  /** The account's id without its prefix. */
  account: string
  contentType: string
  body: string | Uint8Array
}

export type Answered = { status: number; text: string; replayed: boolean }

/** A write and the outcome; without an answer nobody can know whether it had its effect. */
export type Sent = { write: Write; answer: Answered | undefined }

/** Whether the service said that a write was done. */
export const isAcknowledged = (answer: Answered | undefined): boolean => answer !== undefined && answer.status >= 200 && answer.status < 300

export const dataOf = ({ text }: Answered): Record<string, unknown> & { id: string } =>
  (JSON.parse(text) as { data: Record<string, unknown> & { id: string } }).data

/** What a write leaves an object as: the collection its object is read from. A refund of a charge makes a payout. */
export function collectionOf(operation: string): 'charges' | 'payouts' | 'paykeys' | 'customers' {
  if (operation === 'charges.refund') return 'payouts'
  const [room] = operation.split('.')
  if (room === 'charges' || room === 'payouts' || room === 'customers') return room
  return 'paykeys'
}
