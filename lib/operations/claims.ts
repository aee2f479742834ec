import type { Resource } from './define'
import type { WriteId } from './service-operations'

/** Records that wait in a queue for a person, and the operation that decides them: who may do that may claim them. */
export const claimable = {
  payouts: 'payouts.release',
  charges: 'charges.release',
  paykeys: 'paykeys.decide',
  customers: 'customers.decide',
} as const satisfies Partial<Record<Resource, WriteId>>

/** A resource whose records can be claimed. */
export type Claimable = keyof typeof claimable

export const claimableResources = Object.keys(claimable) as Claimable[]

/** Who works on a record (its id), and since when (ISO). It closes nothing: whoever decides first decides. */
export type Claim = { id: string; by: string; own: boolean; since: string }
