import type { Resource } from './define'
import type { WriteId } from './service-operations'

/**
 * The resources whose records can be claimed, each with the operation that decides on its waiting records. A claim requires the permission
 * for that operation.
 */
export const claimable = {
  payouts: 'payouts.release',
  charges: 'charges.release',
  paykeys: 'paykeys.decide',
  customers: 'customers.decide',
} as const satisfies Partial<Record<Resource, WriteId>>

export type Claimable = keyof typeof claimable

export const claimableResources = Object.keys(claimable) as Claimable[]

/**
 * A person's claim to work on a record. `id` is the id of the record, `since` is ISO. A claim blocks nothing: anyone else can still decide,
 * and the first decision counts.
 */
export type Claim = { id: string; by: string; own: boolean; since: string }
