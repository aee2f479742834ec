import type { DeskResource, Resource } from './define'
import type { Integration } from './integration'

/**
 * To whom the objects of a resource belong. `stated`: each object itself names its account, or none
 * if it belongs to the platform.
 */
export type OwnerRule = 'account' | 'platform' | 'stated'

const statedResources: ReadonlySet<Resource | DeskResource> = new Set([
  'accounts',
  'account_settings',
  'capability_requests',
  'organizations',
  'representatives',
  'linked_bank_accounts',
])

/** In a marketplace, a customer pays or is paid by several accounts (provider facts 1). */
const platformResourcesOfMarketplace: ReadonlySet<Resource | DeskResource> = new Set([
  'customers',
  'paykeys',
  'bridge',
])

export function getOwnerRule(
  resource: Resource | DeskResource,
  integration: Integration,
): OwnerRule {
  if (statedResources.has(resource)) return 'stated'
  if (integration === 'account') return 'platform'
  return integration === 'marketplace' && platformResourcesOfMarketplace.has(resource)
    ? 'platform'
    : 'account'
}
