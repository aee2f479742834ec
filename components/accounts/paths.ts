import type { OnboardingFix } from '@/lib/features/accounts/onboarding-checks'
import { newPath, ownPath, type Place, recordPath } from '@/lib/routes'

export const scopeOf = (id: string) => `acct_${id}`

export const editAccountPath = (place: Place, id: string) => ownPath(place, `/accounts/${id}/edit`, { account: scopeOf(id) })

export const accountLimitsPath = (place: Place, id: string) => ownPath(place, `/accounts/${id}/limits`, { account: scopeOf(id) })

/** Link to the page that fixes a missing part of an account, with its label. */
export function fixLink(place: Place, id: string, fix: OnboardingFix): { href: string; label: string } {
  const account = scopeOf(id)
  if (fix.kind === 'profile') return { href: editAccountPath(place, id), label: 'Fill in the profile' }
  if (fix.kind === 'new_representative') return { href: newPath(place, 'representatives', { account }), label: 'Add a representative' }
  if (fix.kind === 'representative') {
    return { href: recordPath(place, 'representatives', fix.id, { account }), label: 'Open the representative' }
  }
  return { href: newPath(place, 'linked_bank_accounts', { account }), label: 'Link a bank account' }
}
