import 'server-only'
import { AppError, type WireError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import type { AccountChoice } from '@/lib/operations/page-context'
import { accountsGranted, accountText, forEverybody, parseAccount, type ScopedAccount } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { readService } from '@/lib/server/service/service-read'

/** Accounts change rarely and every page shows them; the list is asked for at most every ten seconds per environment. */
const choicesKept = 10_000
type Kept = Map<Environment, { at: number; accounts: Promise<AccountChoice[]> }>

// Pages and route handlers are bundled apart, and both have to see the same list.
type Shared = typeof globalThis & { paydeskAccountChoices?: Kept }
const shared = globalThis as Shared
shared.paydeskAccountChoices ??= new Map()
const kept = shared.paydeskAccountChoices

async function readChoices(scope: ScopedAccount): Promise<AccountChoice[]> {
  const { data } = await readService('accounts.list', { page_size: 1000 }, forEverybody(scope))
  return data.map((account) => ({
    id: accountText(account.id),
    name: account.business_profile?.name ?? account.id,
    status: account.status,
  }))
}

/** The accounts as the service lists them, at most ten seconds old; who asks meanwhile shares the reading. Throws what a read throws. */
async function choicesIn(scope: ScopedAccount): Promise<AccountChoice[]> {
  const known = kept.get(scope.environment)
  const fresh = known && performance.now() - known.at < choicesKept ? known : { at: performance.now(), accounts: readChoices(scope) }
  kept.set(scope.environment, fresh)
  try {
    return await fresh.accounts
  } catch (error) {
    kept.delete(scope.environment)
    throw error
  }
}

/** The bare ids of all accounts of the platform, in the service's own order. Throws what a read throws. */
export const accountIds = async (scope: ScopedAccount): Promise<string[]> => (await choicesIn(scope)).map(({ id }) => parseAccount(id))

type AccountChoices = { accounts: AccountChoice[]; accountsError: WireError | null }

/** The accounts of an environment a person has a role in, by name. What keeps them from being read is told in `accountsError`. */
export async function accountChoices(actor: Actor, scope: ScopedAccount): Promise<AccountChoices> {
  try {
    const granted = accountsGranted(actor.grants, scope.environment)
    const all = (await choicesIn(scope)).toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
    return { accounts: granted ? all.filter((account) => granted.includes(parseAccount(account.id))) : all, accountsError: null }
  } catch (error) {
    const known = error instanceof AppError ? error : new AppError('service_failed', 'The accounts could not be read')
    return { accounts: [], accountsError: known.toWire() }
  }
}

/** Has the accounts of an environment read again for the next page: one of them was just made or changed. */
export const forgetAccountChoices = (environment: Environment): void => void kept.delete(environment)
