import type { Sandbox } from '@/sandbox/sandbox'
import type { Account, AccountConfiguration } from './account'
import type { AccountEntry } from './account-machine'

/**
 * Settings of the customers and paykeys that the platform of a marketplace owns. The provider
 * documents none. These allow everything that a request can ask for, and e-mail addresses stay
 * unique.
 */
const platformConfiguration: AccountConfiguration = {
  allow_data_unmask: true,
  allow_duplicate_email: false,
  allow_customer_identity_skip: true,
  allow_paykey_verification_skip: true,
}

/** A platform may have customers of both types. */
const platformCustomerTypes: Account['capabilities']['customer_types'] = {
  individuals: { capability_status: 'active' },
  businesses: { capability_status: 'active' },
}

/** Throws RangeError for an unknown account: the database is damaged. */
export function getAccount({ accounts }: Sandbox, rowNumber: number): AccountEntry {
  const entry = accounts.at(rowNumber)
  if (!entry) throw new RangeError(`no account ${rowNumber}`)
  return entry
}

/** Returns the configuration of an object's owner: an account, or the platform for null. */
export const getOwnerConfiguration = (
  sandbox: Sandbox,
  owner: number | null,
): AccountConfiguration =>
  owner === null ? platformConfiguration : getAccount(sandbox, owner).secret.configuration

/** Returns the types of customers that an account, or the platform for null, may have. */
export const getOwnerCustomerTypes = (
  sandbox: Sandbox,
  owner: number | null,
): Account['capabilities']['customer_types'] =>
  owner === null
    ? platformCustomerTypes
    : getAccount(sandbox, owner).doc.capabilities.customer_types

/** Returns the id of an object's account; null if the platform owns the object. */
export const getOwnerId = (
  { accounts }: Pick<Sandbox, 'accounts'>,
  owner: number | null,
): string | null => (owner === null ? null : accounts.idOf(owner))

/** Word for the owner of customers and paykeys in error texts. */
export const getOwnerNoun = (owner: number | null): 'account' | 'platform' =>
  owner === null ? 'platform' : 'account'

/**
 * Returns the account of an object that the platform never owns. Throws RangeError for null: the
 * database is damaged, or the operation has a wrong policy of the account header.
 */
export function requireAccountRowNumber(account: number | null): number {
  if (account === null) throw new RangeError('an object that needs an account has none')
  return account
}
