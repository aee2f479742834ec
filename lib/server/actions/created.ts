import 'server-only'
import { type OperationId, resourceOf, rowOf } from '@/lib/operations/rows'
import type { Action } from './book'

/** What operations make that is not an object of their own resource. */
const kinds: Readonly<Record<string, string>> = {
  'charges.refund': 'payouts',
  'bridge.bank_account': 'paykeys',
  'bridge.plaid': 'paykeys',
  'bridge.quiltt': 'paykeys',
  'bridge.tan': 'paykeys',
  'bridge.speedchex': 'paykeys',
}

/** Operations on an object that make another one beside it. */
const makesAnother: ReadonlySet<string> = new Set(['charges.refund', 'charges.resubmit', 'payouts.resubmit'])

const idOf = (data: unknown): string | null => {
  const id = typeof data === 'object' && data !== null && 'id' in data ? data.id : null
  return typeof id === 'string' ? id : null
}

/**
 * The object an applied action made, as `<resource>/<id>`; null where it made none. Capability requests come several at once and belong to
 * their account, so that is what stands for them.
 */
export function createdBy(action: Pick<Action, 'operation' | 'accountId'>, data: unknown): string | null {
  const id = action.operation as OperationId
  if (rowOf(id).path.includes(':') && !makesAnother.has(id)) return null
  if (resourceOf(id) === 'capability_requests') return action.accountId ? `accounts/${action.accountId}` : null
  const made = idOf(data)
  return made ? `${kinds[id] ?? resourceOf(id)}/${made}` : null
}
