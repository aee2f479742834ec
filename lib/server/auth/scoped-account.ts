import 'server-only'
import { whyNotAllowed } from '@/lib/domain/permissions'
import { AppError } from '@/lib/errors'
import { isUuid } from '@/lib/formats'
import type { Environment, Role } from '@/lib/operations/define'
import { operation as definitionOf, type OperationId } from '@/lib/operations/operations'
import { env } from '@/lib/server/config/env'
import type { Grant } from './people'
import type { Actor } from './session-rows'

declare const minted: unique symbol

/** How urgent calls are: a write and the reads it needs, a read somebody waits for, and what nobody waits for. */
export type Priority = 'write' | 'read' | 'background'

/** For whom a call is made and how urgent it is. A person's calls count against their quota; `null` is Paydesk itself. */
export type Caller = { readonly person: string | null; readonly priority: Priority }

/**
 * A scope that was checked against the actor's grants: one account, or the whole platform (`accountId: null`), and who asks in it. Only `scopeOf`
 * makes one, and the service client takes nothing else, so an account header can never be copied from a browser and no call goes uncounted.
 */
export type ScopedAccount = {
  readonly environment: Environment
  readonly accountId: string | null
  readonly roles: readonly Role[]
  readonly caller: Caller
} & { readonly [minted]: true }

/** The bare account a text names; null where it names none. For records and limits, which refuse nothing. */
export function accountNamed(text: string | null | undefined): string | null {
  const bare = text?.toLowerCase().replace(/^acct_/, '') ?? ''
  return isUuid(bare) ? bare : null
}

/** Reads `acct_<uuid>` or a bare UUID into the bare UUID. Throws `invalid_input` naming `account`. */
export function parseAccount(text: string): string {
  const bare = accountNamed(text)
  if (bare) return bare
  const detail = 'must be acct_ and a UUID'
  throw new AppError('invalid_input', `account: ${detail}`, { items: [{ reference: 'account', detail }] })
}

/** An account as the service's header wants it, with the configured prefix. */
export const accountHeaderValue = (accountId: string): string => `${env().accountPrefix}${accountId}`

export const accountText = (accountId: string): string => `acct_${accountId}`

/** The roles that grants give in an environment and scope. A grant for one account says nothing about the whole platform. */
export function rolesIn(grants: readonly Grant[], environment: Environment, accountId: string | null): Role[] {
  const holding = grants.filter((grant) => grant.environment === environment && (grant.accountId === null || grant.accountId === accountId))
  return [...new Set(holding.map((grant) => grant.role))]
}

/** The accounts a person is limited to, or null when a grant covers the whole platform. */
export function accountsGranted(grants: readonly Grant[], environment: Environment): string[] | null {
  const here = grants.filter((grant) => grant.environment === environment)
  if (here.some((grant) => grant.accountId === null)) return null
  return [...new Set(here.flatMap((grant) => (grant.accountId ? [grant.accountId] : [])))]
}

/**
 * Mints the scope of a request after checking membership; its calls are reads of that person unless said otherwise. Throws `forbidden` when no
 * grant reaches it; the text says what is missing.
 */
export function scopeOf(
  actor: Pick<Actor, 'id' | 'grants'>,
  environment: Environment,
  accountId: string | null,
  priority: Priority = 'read',
): ScopedAccount {
  const roles = rolesIn(actor.grants, environment, accountId)
  if (roles.length === 0) {
    const where = accountId ? 'this account' : 'the whole platform; choose one of your accounts'
    throw new AppError('forbidden', `You have no role in ${environment} for ${where}`)
  }
  return { environment, accountId, roles, caller: { person: actor.id, priority } } as unknown as ScopedAccount
}

const unchecked = (environment: Environment, accountId: string | null, caller: Caller): ScopedAccount =>
  ({ environment, accountId, roles: [], caller }) as unknown as ScopedAccount

/** The scope of a reading that finds out whose an object is, before anybody's right to it can be judged. Never of what a person asked for. */
export const wholePlatform = (environment: Environment, caller: Caller): ScopedAccount => unchecked(environment, null, caller)

/** The scope of an action in the log: it was checked when the action was written, and a replay must carry the same. */
export const recordedScope = (environment: Environment, accountId: string | null): ScopedAccount =>
  unchecked(environment, accountId, { person: null, priority: 'write' })

/** The scope of what keeps the mirror, which reads everything for nobody. Never of what a person asked for. */
export const mirrorScope = (environment: Environment, accountId: string | null): ScopedAccount =>
  unchecked(environment, accountId, { person: null, priority: 'background' })

/** The same scope for work that nobody waits for: it counts against nobody's quota and gives way to people. */
export const inBackground = (scope: ScopedAccount): ScopedAccount => ({ ...scope, caller: { person: null, priority: 'background' } })

/** The same scope for a reading whose answer everybody shares: it counts against nobody's quota, and nobody else gets to hear of theirs. */
export const forEverybody = (scope: ScopedAccount): ScopedAccount => ({ ...scope, caller: { ...scope.caller, person: null } })

/** Refuses a scope that lacks every role of an operation. Throws `forbidden` naming the roles that may. */
export function requireRole(scope: ScopedAccount, operation: OperationId): void {
  const why = whyNotAllowed(scope.roles, definitionOf(operation))
  if (why) throw new AppError('forbidden', why)
}
