import type { Resource } from './define'
import type { WriteId } from './service-operations'

/** Records that wait in a queue, and the operation that decides them. Claiming a record requires the same permission. */
export const claimable = {
  payouts: 'payouts.release',
  charges: 'charges.release',
  paykeys: 'paykeys.decide',
  customers: 'customers.decide',
} as const satisfies Partial<Record<Resource, WriteId>>

export type Claimable = keyof typeof claimable

export const claimableResources = Object.keys(claimable) as Claimable[]

/** A claim on a record: `id` is the record's, `since` is ISO. It blocks nothing: the first decision counts. */
export type Claim = { id: string; by: string; own: boolean; since: string }
