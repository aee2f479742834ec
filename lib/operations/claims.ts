import type { Resource } from './define'
import type { WriteId } from './service-operations'

/** The operation that decides on a record. A claim requires permission for it. */
export const claimOperations = {
  payouts: 'payouts.release',
  charges: 'charges.release',
  paykeys: 'paykeys.decide',
  customers: 'customers.decide',
} as const satisfies Partial<Record<Resource, WriteId>>

export type ClaimableResource = keyof typeof claimOperations

export const claimableResources = Object.keys(claimOperations) as ClaimableResource[]

/** A claim blocks nothing: other people can still decide, and the first decision counts. */
export type Claim = { id: string; by: string; own: boolean; since: string }
