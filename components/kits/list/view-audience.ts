import type { Desk } from '@/lib/operations/desk'
import type { SavedView } from '@/lib/operations/saved-view'

/** One answer to who sees a view, in words, with what the request then says. */
export type Audience = { id: 'own' | 'all' | 'account' | 'now'; label: string; says: { shared: boolean; accounts?: string[] | null } }

const forAccounts = (id: Audience['id'], label: string, accounts: string[]): Audience => ({ id, label, says: { shared: true, accounts } })

const sameAccounts = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((account) => other.includes(account))

/** Everybody with whom a person may share as far as they see themselves: the whole platform, or all their accounts. */
function widest({ isLimited, accounts }: Desk): Audience | null {
  if (!isLimited) return { id: 'all', label: 'People who see all accounts', says: { shared: true, accounts: null } }
  if (accounts.length < 2) return null
  return { id: 'all', label: `People with a role for all your ${accounts.length} accounts`, says: { shared: true, accounts: null } }
}

/** Those who see a shared view, as accounts; null is the whole platform. */
const accountsIn = ({ id, says }: Audience, desk: Desk): readonly string[] | null =>
  id === 'all' && desk.isLimited ? desk.accounts.map((account) => account.id) : (says.accounts ?? null)

/** Whether an answer says what holds of a view now. */
function holds(audience: Audience, view: SavedView, desk: Desk): boolean {
  if (!view.shared || !audience.says.shared) return view.shared === audience.says.shared
  const accounts = accountsIn(audience, desk)
  return accounts === null || view.accounts === null ? accounts === view.accounts : sameAccounts(accounts, view.accounts)
}

/**
 * Who may see a view, to choose from, and which of them see it now: the person alone; everybody who sees as much as they do; the people of the account
 * the list is about; and for a view that is shared with others, those.
 */
export function audiencesOf(desk: Desk, view: SavedView | undefined): { audiences: Audience[]; now: Audience['id'] } {
  const nameOf = (id: string) => desk.accounts.find((account) => account.id === id)?.name ?? id
  const account = desk.account ?? (desk.isLimited ? desk.accounts[0]?.id : undefined)
  const audiences: (Audience | null)[] = [
    { id: 'own', label: 'Only you', says: { shared: false } },
    widest(desk),
    account ? forAccounts('account', `People with a role for ${nameOf(account)}`, [account]) : null,
  ]
  const known = audiences.filter((audience) => audience !== null)
  if (!view) return { audiences: known, now: 'own' }
  const now = known.find((audience) => holds(audience, view, desk))
  if (now) return { audiences: known, now: now.id }
  const label = view.accounts ? `People with a role for ${view.accounts.map(nameOf).join(' and ')}` : 'People who see all accounts'
  const as: Audience = { id: 'now', label, says: view.accounts ? { shared: true, accounts: view.accounts } : { shared: true } }
  return { audiences: [...known, as], now: 'now' }
}
