import type { Resource } from './define'
import type { WriteId } from './service-operations'

/** Resources whose records can be claimed, and the operation that decides on them. A claim requires the permission for that operation. */
export const claimOperations = {
  payouts: 'payouts.release',
  charges: 'charges.release',
  paykeys: 'paykeys.decide',
  customers: 'customers.decide',
} as const satisfies Partial<Record<Resource, WriteId>>

export type ClaimableResource = keyof typeof claimOperations

export const claimableResources = Object.keys(claimOperations) as ClaimableResource[]

/**
 * A person's claim to work on a record with this `id`. `since` is ISO. It blocks nothing: others can decide, and the first decision counts.
 */
export type Claim = { id: string; by: string; own: boolean; since: string }
