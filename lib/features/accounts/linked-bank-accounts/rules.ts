import { statusWords } from '@/lib/domain/status'
import { purposes } from '@/lib/operations/linked-bank-accounts'
import type { LinkedBankAccount } from '@/lib/operations/linked-bank-accounts.schema'

type LinkedAccountStatus = Pick<LinkedBankAccount, 'status' | 'status_detail'>

/** True if the verification is stopped until the bank account is corrected. */
const isStuck = ({ status, status_detail: detail }: LinkedAccountStatus) => status === 'onboarding' && detail?.reason === 'stuck'

/**
 * Returns why a linked bank account cannot be corrected or canceled now, as a sentence; null if it can (provider facts 1.10 and 3.4). The
 * service makes the final decision; this check avoids requests that it would refuse.
 */
export function whyNotChangeLinked(action: 'update' | 'cancel', linked: LinkedAccountStatus): string | null {
  if (linked.status === 'created') return null
  if (action === 'update' && isStuck(linked)) return null
  const { label } = statusWords('linked_bank_account', linked.status)
  const state = label.toLowerCase()
  if (linked.status === 'canceled') return 'This bank account is permanently canceled.'
  if (action === 'cancel') return `This bank account is ${state}: only one not submitted for verification can be canceled.`
  if (linked.status === 'onboarding')
    return 'This bank account is being verified: it can be corrected once the service requests a correction (reason “stuck”).'
  return `This bank account is ${state}: numbers can be corrected only before verification. Link another bank account instead.`
}

export type Purpose = (typeof purposes)[number]

const purposeNames: Readonly<Record<Purpose, { label: string; subject: string; meaning: string }>> = {
  charges: { label: 'Charges', subject: 'Charges are', meaning: 'Charges from customers settle to this bank account.' },
  payouts: { label: 'Payouts', subject: 'Payouts are', meaning: 'Payouts are funded from this bank account.' },
  billing: { label: 'Billing', subject: 'Billing is', meaning: 'The service bills its fees to this bank account.' },
}

/** The purposes in words, in display order. */
export const purposeList: readonly { id: Purpose; label: string; subject: string; meaning: string }[] = purposes.map((id) => ({
  id,
  ...purposeNames[id],
}))

/** Returns the label of a purpose; an unknown purpose stays as the service wrote it. */
export const purposeText = (purpose: string): string => purposeList.find(({ id }) => id === purpose)?.label ?? purpose

/** The states in which a bank account counts toward the maximum and occupies its purposes: all but rejected, inactive and canceled. */
const countingStates = ['created', 'onboarding', 'active']
const filterCounting = <T extends Pick<LinkedBankAccount, 'status'>>(all: readonly T[]) =>
  all.filter(({ status }) => countingStates.includes(status))

/** Maximum number of bank accounts that an account or the platform can have in a counting state (provider facts 1.10). */
export const maxLinkedAccounts = 3

/** Returns the linked bank account that currently serves a purpose; undefined if there is none. */
export const findLinkedForPurpose = <T extends Pick<LinkedBankAccount, 'status' | 'purposes'>>(
  all: readonly T[],
  purpose: Purpose,
): T | undefined => filterCounting(all).find((linked) => linked.purposes.includes(purpose))

/** Returns warnings to show before another bank account is linked: purposes that another one already serves, and the maximum number. */
export function findLinkingWarnings(
  wished: readonly Purpose[],
  all: readonly Pick<LinkedBankAccount, 'status' | 'purposes' | 'bank_account'>[],
): string[] {
  const conflicts = purposeList.flatMap(({ id, subject }) => {
    const conflictingAccount = wished.includes(id) ? findLinkedForPurpose(all, id) : undefined
    return conflictingAccount
      ? [
          `${subject} already served by ${linkedBankName(conflictingAccount)}, and each purpose has one bank account: the service will reject this.`,
        ]
      : []
  })
  const linkedCount = filterCounting(all).length
  const tooManyWarning = `There are already ${linkedCount} linked bank accounts, and ${maxLinkedAccounts} is the maximum.`
  return linkedCount >= maxLinkedAccounts ? [tooManyWarning, ...conflicts] : conflicts
}

/** Returns the name of a linked bank account: its bank and last four digits. */
export const linkedBankName = ({ bank_account: bank }: Pick<LinkedBankAccount, 'bank_account'>): string =>
  [bank?.institution_name, bank?.account_mask].filter(Boolean).join(' ') || 'an unnamed bank account'
