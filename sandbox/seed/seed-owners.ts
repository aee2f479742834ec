import { directAccountRowNumber, type Integration } from '@/sandbox/integration'

/** The first ten accounts are active. The others have no customers and no payments. */
const activeAccountCount = 10

export const getActiveAccountCount = (integration: Integration): number =>
  integration === 'account' ? 1 : activeAccountCount

/** Returns the accounts in turn. */
const getAccountInTurn = (index: number): number => (index % activeAccountCount) + 1

/**
 * Returns the row number of the account that owns the customer with this index and its paykeys;
 * null if the platform owns them.
 */
export function getSeededOwner(integration: Integration, index: number): number | null {
  if (integration === 'marketplace') return null
  return integration === 'account' ? directAccountRowNumber : getAccountInTurn(index)
}

/**
 * Returns the account of a payment with a paykey of this owner. A paykey of the platform pays a
 * different account with each payment.
 */
export const getPaymentAccount = (owner: number | null, paymentIndex: number): number =>
  owner ?? getAccountInTurn(paymentIndex)
