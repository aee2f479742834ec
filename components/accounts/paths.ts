import type { OnboardingFix } from '@/lib/features/accounts/onboarding-checks'
import { newPath, ownPath, type Place, recordPath } from '@/lib/routes'

export const scopeOf = (id: string) => `acct_${id}`

export const editAccountPath = (place: Place, id: string) => ownPath(place, `/accounts/${id}/edit`, { account: scopeOf(id) })

export const accountLimitsPath = (place: Place, id: string) => ownPath(place, `/accounts/${id}/limits`, { account: scopeOf(id) })

/** Returns the path and the label of a link to the page where a missing part of an account can be added. */
export function fixLink(place: Place, id: string, fix: OnboardingFix): { href: string; label: string } {
  const account = scopeOf(id)
  if (fix.kind === 'profile') return { href: editAccountPath(place, id), label: 'Fill in the profile' }
  if (fix.kind === 'new_representative') return { href: newPath(place, 'representatives', { account }), label: 'Add a representative' }
  if (fix.kind === 'representative') {
    return { href: recordPath(place, 'representatives', fix.id, { account }), label: 'Open the representative' }
  }
  return { href: newPath(place, 'linked_bank_accounts', { account }), label: 'Link a bank account' }
}
