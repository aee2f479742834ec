import type { OnboardingFix } from '@/lib/domain/onboarding-checks'
import { deskPath, newPath, recordPath } from '@/lib/routes'

/** The account as URLs name a scope. */
export const scopeOf = (id: string) => `acct_${id}`

/** The form that changes an account. */
export const editAccountPath = (environment: string, id: string) => deskPath(environment, `/accounts/${id}/edit`, { account: scopeOf(id) })

/** The limits of an account. */
export const accountLimitsPath = (environment: string, id: string) =>
  deskPath(environment, `/accounts/${id}/limits`, { account: scopeOf(id) })

/** Where a missing part of an account is put right, and how the link is called. */
export function fixLink(environment: string, id: string, fix: OnboardingFix): { href: string; label: string } {
  const account = scopeOf(id)
  if (fix.kind === 'profile') return { href: editAccountPath(environment, id), label: 'Fill in the profile' }
  if (fix.kind === 'new_representative')
    return { href: newPath(environment, 'representatives', { account }), label: 'Add a representative' }
  if (fix.kind === 'representative') {
    return { href: recordPath(environment, 'representatives', fix.id, { account }), label: 'Open the representative' }
  }
  return { href: newPath(environment, 'linked_bank_accounts', { account }), label: 'Link a bank account' }
}
