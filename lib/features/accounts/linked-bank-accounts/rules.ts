import { getStatusWords } from '@/lib/domain/status'
import { linkedBankAccountPurposes } from '@/lib/operations/linked-bank-accounts'
import type { LinkedBankAccount } from '@/lib/operations/linked-bank-accounts.schema'

type LinkedAccountStatus = Pick<LinkedBankAccount, 'status' | 'status_detail'>

/** True if the verification is stopped until the bank account is corrected. */
const isVerificationStuck = ({ status, status_detail: detail }: LinkedAccountStatus) =>
  status === 'onboarding' && detail?.reason === 'stuck'

/** The service decides; this only avoids requests it would refuse (provider facts 1.10, 3.4). */
export function whyNotChangeLinkedAccount(
  action: 'update' | 'cancel',
  linkedAccount: LinkedAccountStatus,
): string | null {
  if (linkedAccount.status === 'created') return null
  if (action === 'update' && isVerificationStuck(linkedAccount)) return null
  const { label } = getStatusWords('linked_bank_account', linkedAccount.status)
  const statusLabel = label.toLowerCase()
  if (linkedAccount.status === 'canceled') return 'This bank account is permanently canceled.'
  if (action === 'cancel')
    return `This bank account is ${statusLabel}: only one not submitted for verification can be canceled.`
  if (linkedAccount.status === 'onboarding')
    return 'This bank account is being verified: it can be corrected once the service requests a correction (reason “stuck”).'
  return `This bank account is ${statusLabel}: numbers can be corrected only before verification. Link another bank account instead.`
}

export type LinkedAccountPurpose = (typeof linkedBankAccountPurposes)[number]

const purposeNames: Readonly<
  Record<LinkedAccountPurpose, { label: string; subject: string; meaning: string }>
> = {
  charges: {
    label: 'Charges',
    subject: 'Charges are',
    meaning: 'Charges from customers settle to this bank account.',
  },
  payouts: {
    label: 'Payouts',
    subject: 'Payouts are',
    meaning: 'Payouts are funded from this bank account.',
  },
  billing: {
    label: 'Billing',
    subject: 'Billing is',
    meaning: 'The service bills its fees to this bank account.',
  },
}

export const purposeOptions: readonly {
  id: LinkedAccountPurpose
  label: string
  subject: string
  meaning: string
}[] = linkedBankAccountPurposes.map((id) => ({
  id,
  ...purposeNames[id],
}))

export const getPurposeLabel = (purpose: string): string =>
  purposeOptions.find(({ id }) => id === purpose)?.label ?? purpose

/**
 * Only linked bank accounts in these states count toward the maximum, and only they prevent another
 * one with the same purpose.
 */
const countedAccountStates = ['created', 'onboarding', 'active']
const filterCountedAccounts = <T extends Pick<LinkedBankAccount, 'status'>>(
  linkedAccounts: readonly T[],
) => linkedAccounts.filter(({ status }) => countedAccountStates.includes(status))

/**
 * The most linked bank accounts that an account or the platform can have, without ended ones
 * (provider facts 1.10).
 */
export const maxLinkedAccounts = 3

export const findLinkedAccountForPurpose = <
  T extends Pick<LinkedBankAccount, 'status' | 'purposes'>,
>(
  linkedAccounts: readonly T[],
  purpose: LinkedAccountPurpose,
): T | undefined =>
  filterCountedAccounts(linkedAccounts).find((linked) => linked.purposes.includes(purpose))

export function findLinkingWarnings(
  requestedPurposes: readonly LinkedAccountPurpose[],
  linkedAccounts: readonly Pick<LinkedBankAccount, 'status' | 'purposes' | 'bank_account'>[],
): string[] {
  const purposeWarnings = purposeOptions.flatMap(({ id, subject }) => {
    const conflictingAccount = requestedPurposes.includes(id)
      ? findLinkedAccountForPurpose(linkedAccounts, id)
      : undefined
    return conflictingAccount
      ? [
          `${subject} already served by ${getLinkedBankName(conflictingAccount)}, and each purpose has one bank account: the service will reject this.`,
        ]
      : []
  })
  const linkedCount = filterCountedAccounts(linkedAccounts).length
  const tooManyWarning = `There are already ${linkedCount} linked bank accounts, and ${maxLinkedAccounts} is the maximum.`
  return linkedCount >= maxLinkedAccounts ? [tooManyWarning, ...purposeWarnings] : purposeWarnings
}

export const getLinkedBankName = ({
  bank_account: bank,
}: Pick<LinkedBankAccount, 'bank_account'>): string =>
  [bank?.institution_name, bank?.account_mask].filter(Boolean).join(' ') ||
  'an unnamed bank account'
