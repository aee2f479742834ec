import 'server-only'
import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { AppError, type WireError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import type { AccountChoice, PageContext } from '@/lib/operations/page-context'
import {
  formatAccountId,
  getGrantedAccounts,
  type ScopedAccount,
  tryParseAccountId,
} from '@/lib/server/auth/scoped-account'
import { getCurrentActor } from '@/lib/server/auth/session'
import type { Actor } from '@/lib/server/auth/session-rows'
import { mirrorAccounts } from '@/lib/server/store/schema/mirror'
import { getDatabase } from '@/lib/server/store/store'
import { readLastCheck } from '@/lib/server/sync/state'
import type { DeskOperationHandlers } from './desk-call'

/**
 * If the person has more accounts, a page contains only those that it shows, and the browser
 * fetches the full list on demand.
 */
const maxChoicesInPage = 50

/** The accounts in which the person has a role. */
function toGrantedAccountsCondition(actor: Actor, environment: Environment): SQL | undefined {
  const grantedAccounts = getGrantedAccounts(actor.grants, environment)
  return and(
    eq(mirrorAccounts.environment, environment),
    grantedAccounts ? inArray(mirrorAccounts.id, grantedAccounts) : undefined,
  )
}

async function readAccountChoices(condition: SQL | undefined): Promise<AccountChoice[]> {
  const { id, status, object, name } = mirrorAccounts
  const displayName = sql<string | null>`${object} #>> '{business_profile,name}'`
  const db = await getDatabase()
  const accountRows = await db
    .select({ id, status, name: displayName })
    .from(mirrorAccounts)
    .where(condition)
    .orderBy(asc(name), id)
  return accountRows.map((row) => ({
    id: formatAccountId(row.id),
    name: row.name ?? row.id,
    status: row.status,
  }))
}

type AccountChoices = { accounts: AccountChoice[]; accountsError: WireError | null }

/** Sorted by name. `accountsError` is set if no accounts were read from the service yet. */
export async function loadAccountChoices(
  actor: Actor,
  { environment }: Pick<ScopedAccount, 'environment'>,
): Promise<AccountChoices> {
  const accounts = await readAccountChoices(toGrantedAccountsCondition(actor, environment))
  const areAccountsNotYetRead =
    accounts.length === 0 && (await readLastCheck(environment, 'accounts')).checkedAt === null
  return {
    accounts,
    accountsError: areAccountsNotYetRead
      ? new AppError(
          'unavailable',
          'The accounts have not been read from the payments service yet',
        ).toWire()
      : null,
  }
}

/** Null if there are more accounts than `maxChoicesInPage`. */
export async function loadAccountChoicesIfFew(
  actor: Actor,
  environment: Environment,
): Promise<AccountChoices | null> {
  const db = await getDatabase()
  const { id } = mirrorAccounts
  const firstAccountRows = await db
    .select({ id })
    .from(mirrorAccounts)
    .where(toGrantedAccountsCondition(actor, environment))
    .limit(maxChoicesInPage + 1)
  return firstAccountRows.length > maxChoicesInPage
    ? null
    : loadAccountChoices(actor, { environment })
}

/** Omits accounts in which the person has no role. Sorted by name. */
export async function loadAccountChoicesByIds(
  actor: Actor,
  environment: Environment,
  accountIds: Iterable<string | null>,
): Promise<AccountChoice[]> {
  const uniqueAccountIds = [
    ...new Set([...accountIds].flatMap((account) => tryParseAccountId(account) ?? [])),
  ]
  return uniqueAccountIds.length === 0
    ? []
    : readAccountChoices(
        and(
          toGrantedAccountsCondition(actor, environment),
          inArray(mirrorAccounts.id, uniqueAccountIds),
        ),
      )
}

/** Omits accounts in which the person has no role. */
export async function addAccountsByIds(
  context: PageContext,
  accountIds: Iterable<string | null>,
): Promise<PageContext> {
  const actor = context.hasAllAccounts ? null : await getCurrentActor()
  if (!actor) return context
  const contextAccountIds = new Set(context.accounts.map(({ id }) => id))
  const addedChoices = await loadAccountChoicesByIds(
    actor,
    context.environment,
    [...accountIds].filter((id) => id !== null && !contextAccountIds.has(id)),
  )
  return addedChoices.length === 0
    ? context
    : { ...context, accounts: [...context.accounts, ...addedChoices] }
}

/** For a page on which the person chooses an account. */
export async function addAllAccounts(context: PageContext): Promise<PageContext> {
  const actor = context.hasAllAccounts ? null : await getCurrentActor()
  return actor
    ? { ...context, ...(await loadAccountChoices(actor, context)), hasAllAccounts: true }
    : context
}

/** Returns all accounts that the person can choose, even if the request names one. */
export const accountChoiceHandlers: DeskOperationHandlers<'account_choices.list'> = {
  'account_choices.list': async ({ actor, environment }) => {
    const { accounts, accountsError } = await loadAccountChoices(actor, { environment })
    if (accountsError) throw new AppError('unavailable', accountsError.detail)
    return { data: accounts }
  },
}
