import type { OnboardingFix } from '@/lib/features/accounts/onboarding-checks'
import { accountPagePath, type LinkScope, newRecordPath, recordPath } from '@/lib/routes'

export const addAccountPrefix = (id: string) => `acct_${id}`

export const editAccountPath = (scope: LinkScope, id: string) =>
  accountPagePath(scope, `/accounts/${id}/edit`, { account: addAccountPrefix(id) })

export const accountLimitsPath = (scope: LinkScope, id: string) =>
  accountPagePath(scope, `/accounts/${id}/limits`, { account: addAccountPrefix(id) })

/** Links a failed onboarding check to the page where the missing data can be added. */
export function toOnboardingFixLink(
  scope: LinkScope,
  id: string,
  fix: OnboardingFix,
): { href: string; label: string } {
  const account = addAccountPrefix(id)
  if (fix.kind === 'profile')
    return { href: editAccountPath(scope, id), label: 'Fill in the profile' }
  if (fix.kind === 'new_representative')
    return {
      href: newRecordPath(scope, 'representatives', { account }),
      label: 'Add a representative',
    }
  if (fix.kind === 'representative') {
    return {
      href: recordPath(scope, 'representatives', fix.id, { account }),
      label: 'Open the representative',
    }
  }
  return {
    href: newRecordPath(scope, 'linked_bank_accounts', { account }),
    label: 'Link a bank account',
  }
}
