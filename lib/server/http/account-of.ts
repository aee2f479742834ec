import 'server-only'
import type { Environment } from '@/lib/operations/define'
import type { PageContext } from '@/lib/operations/page-context'
import { type ReadId, resourceOf, serviceOperation } from '@/lib/operations/service-operations'
import { accountText, rolesIn, type ScopedAccount } from '@/lib/server/auth/scoped-account'
import { currentActor } from '@/lib/server/auth/session'
import type { Actor } from '@/lib/server/auth/session-rows'
import { accountOf, accountsOf } from '@/lib/server/mirror/account-of'
import type { Read } from '@/lib/server/service/service-read'

const asKnownTo = (actor: Actor | null, environment: Environment, account: string | null | undefined): string | null =>
  account && actor && rolesIn(actor.grants, environment, account).length > 0 ? accountText(account) : null

/** Returns the recorded account of an object, without a call to the service. Null if it is unknown or the person has no role in it. */
export async function knownAccountOf({ environment }: PageContext, target: string): Promise<string | null> {
  const [account, actor] = await Promise.all([accountOf(environment, target), currentActor()])
  return asKnownTo(actor, environment, account)
}

type Related = {
  id?: string | undefined
  customer_id?: string | undefined
  customer_details?: { id?: string | undefined } | undefined
  paykey_details?: { id?: string | undefined } | undefined
}

/** Returns the targets that can identify the account, most reliable first: the object, its customer, its paykey. */
function targetsOf(id: ReadId, object: Related): string[] {
  const customer = object.customer_id ?? object.customer_details?.id
  const paykey = object.paykey_details?.id
  const own = object.id ? [`${resourceOf(id)}/${object.id}`] : []
  return [...own, ...(customer ? [`customers/${customer}`] : []), ...(paykey ? [`paykeys/${paykey}`] : [])]
}

/**
 * Adds the recorded account to a single object that was read without an account scope. It is null if it is unknown or the person has no
 * role in it.
 */
export async function withAccount<K extends ReadId>(actor: Actor, id: K, read: Read<K>, scope: ScopedAccount): Promise<Read<K>> {
  const isAsked = scope.accountId === null && serviceOperation(id).scope === 'optional' && id.endsWith('.get')
  if (!isAsked) return read
  const targets = targetsOf(id, read.data as Related)
  const known = await accountsOf(scope.environment, targets)
  const account = targets.map((target) => known.get(target)).find(Boolean)
  return { ...read, meta: { ...read.meta, account: asKnownTo(actor, scope.environment, account) } }
}
