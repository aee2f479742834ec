import 'server-only'
import { asc, eq, sql } from 'drizzle-orm'
import { AppError, type WireError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import type { AccountChoice } from '@/lib/operations/page-context'
import { accountsGranted, accountText, type ScopedAccount } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { mirrorAccounts } from '@/lib/server/store/platform-schema'
import { database } from '@/lib/server/store/store'
import { lastCheck } from '@/lib/server/sync/state'

async function accountsIn(environment: Environment): Promise<{ id: string; name: string | null; status: string }[]> {
  const { id, status, object, name } = mirrorAccounts
  const shown = sql<string | null>`${object} #>> '{business_profile,name}'`
  const db = await database()
  return db
    .select({ id, status, name: shown })
    .from(mirrorAccounts)
    .where(eq(mirrorAccounts.environment, environment))
    .orderBy(asc(name), id)
}

type AccountChoices = { accounts: AccountChoice[]; accountsError: WireError | null }

/** The accounts of an environment a person has a role in, by name. That they are not known yet, or cannot be, is told in `accountsError`. */
export async function accountChoices(actor: Actor, { environment }: ScopedAccount): Promise<AccountChoices> {
  const granted = accountsGranted(actor.grants, environment)
  const all = await accountsIn(environment)
  const own = granted ? all.filter(({ id }) => granted.includes(id)) : all
  const unread = all.length === 0 && (await lastCheck(environment, 'accounts')).checkedAt === null
  return {
    accounts: own.map(({ id, name, status }) => ({ id: accountText(id), name: name ?? id, status })),
    accountsError: unread ? new AppError('unavailable', 'The accounts have not been read from the payments service yet').toWire() : null,
  }
}
