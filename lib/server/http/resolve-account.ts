import 'server-only'
import { whyNotAllowed } from '@/lib/domain/permissions'
import { AppError } from '@/lib/errors'
import { isUuid } from '@/lib/formats'
import type { Account } from '@/lib/operations/accounts.schema'
import { type UnreadableRow, unreadableIn } from '@/lib/operations/answer'
import type { AccountFrom, Environment } from '@/lib/operations/define'
import { operation as definitionOf } from '@/lib/operations/operations'
import {
  isServiceOperationId,
  type ReadId,
  resourceOf,
  type ServiceOperationId,
  serviceOperation,
} from '@/lib/operations/service-operations'
import { HiddenObject, nowhere } from '@/lib/server/audit/refusals'
import { accountsGranted, type Priority, parseAccount, type ScopedAccount, scopeOf, wholePlatform } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { accountOf, noteAccounts } from '@/lib/server/mirror/account-of'
import { asNotSent, type Read, readService } from '@/lib/server/service/service-read'
import type { Fields } from './input'

/**
 * Reads the target in a scope, to check that it exists and to find its account. Null if its resource has no such read. Throws the same
 * error for every missing object, and `not_sent` if the read fails.
 */
export async function readTarget(operation: ServiceOperationId, target: string, scope: ScopedAccount): Promise<Read<ReadId> | null> {
  const get = `${resourceOf(operation)}.get`
  if (!isServiceOperationId(get)) return null
  const id = target.slice(target.indexOf('/') + 1)
  return readService(get as ReadId, { id } as never, scope).catch((cause: unknown) => {
    // Leave out the service's request id: the refusal of a hidden object has none.
    if (cause instanceof AppError && cause.code === 'service_not_found') throw new AppError('service_not_found', nowhere, { cause })
    return asNotSent('The object')(cause)
  })
}

/** A request to check. `account` is the named scope; `fields` are the fields besides the path. */
export type AccessRequest = {
  environment: Environment
  operation: ServiceOperationId
  account: string | null
  target: string | null
  fields?: Fields
}

/** Returns the priority of an operation's calls. A read that a write needs is as urgent as the write itself. */
export const priorityOf = (operation: ServiceOperationId): Priority => (serviceOperation(operation).effect === 'read' ? 'read' : 'write')

/** Returns the accounts that the person is limited to here; null with a grant for the whole platform. */
const limits = (actor: Actor, access: AccessRequest): string[] | null => accountsGranted(actor.grants, access.environment)

const named = (access: AccessRequest): string | null => (access.account ? parseAccount(access.account) : null)

const refuseField = (detail: string) =>
  new AppError('invalid_input', `account_id: ${detail}`, { items: [{ reference: 'account_id', detail }] })

/**
 * Returns the account in `account_id`, else the fallback. An invalid id is left to the operation's schema. For a person limited to some
 * accounts it throws here, as does a missing id without a fallback.
 */
async function accountInFields(actor: Actor, access: AccessRequest, fallback: string | null): Promise<string | null> {
  const given = (await access.fields?.())?.account_id
  if (typeof given === 'string' && isUuid(given.toLowerCase())) return given.toLowerCase()
  const own = limits(actor, access)
  if (own && (given !== undefined || !fallback)) throw refuseField('name one of your accounts; you have no role for the whole platform')
  return fallback
}

/**
 * Returns the account of an object that names it itself. Null if the object belongs to the platform, or if the account is not needed.
 * Throws the same error for an object outside the person's roles and for a missing one.
 */
async function accountOfObject(actor: Actor, access: AccessRequest): Promise<string | null> {
  const { operation, target } = access
  const own = limits(actor, access)
  if (!target) return own?.[0] ?? null
  const { effect, sensitive } = serviceOperation(operation)
  if (!own && effect === 'read' && !sensitive) return null
  const indexed = await accountOf(access.environment, target)
  if (indexed && (!own || own.includes(indexed))) return indexed
  // Read it even if the account is known: a hidden object and a missing one must fail in the same way.
  const account = await accountRead(actor, { ...access, target })
  if (own && !own.includes(account ?? '')) throw new HiddenObject()
  return account
}

/**
 * Reads the account that an object names, with the platform's own scope, and remembers it. Throws `not_sent` if the account cannot be read:
 * the object would pass for the platform's own.
 */
async function accountRead(actor: Actor, { environment, operation, target }: AccessRequest & { target: string }): Promise<string | null> {
  const scope = wholePlatform(environment, { person: actor.id, priority: priorityOf(operation) })
  const read = await readTarget(operation, target, scope)
  if (unreadableIn(read?.data).some(({ field }) => field === 'account_id')) {
    throw new AppError('not_sent', 'The service names an account of this object that cannot be read. Nothing was sent')
  }
  const { account_id: account = null } = (read?.data ?? {}) as { account_id?: string | null }
  if (account) noteAccounts(environment, [target], account)
  return account
}

const resolvers: Readonly<Record<AccountFrom, (actor: Actor, access: AccessRequest) => Promise<string | null> | string | null>> = {
  answer: (actor, access) => named(access) ?? limits(actor, access)?.[0] ?? null,
  path: (actor, access) => access.target?.split('/')[1] ?? limits(actor, access)?.[0] ?? null,
  query: (actor, access) => {
    const own = limits(actor, access)
    return accountInFields(actor, access, named(access) ?? (own?.length === 1 ? (own[0] ?? null) : null))
  },
  body: (actor, access) => accountInFields(actor, access, null),
  object: accountOfObject,
  platform: () => null,
}

/** Requires the role somewhere in the environment, before any read. */
function requireRoleSomewhere(actor: Actor, { environment, operation }: AccessRequest): void {
  const held = actor.grants.filter((grant) => grant.environment === environment).map((grant) => grant.role)
  if (held.length === 0) throw new AppError('forbidden', `You have no role in ${environment}`)
  const why = whyNotAllowed(held, definitionOf(operation))
  if (why) throw new AppError('forbidden', why)
}

/**
 * Returns the scope of an operation without an account header: its account, checked against the person's grants. The record contains it,
 * which decides who can see the record; the client does not send it. Throws `forbidden`, `invalid_input` naming `account_id`, and the
 * errors of reading the object.
 */
export async function resolveAccount(actor: Actor, access: AccessRequest): Promise<ScopedAccount> {
  requireRoleSomewhere(actor, access)
  const account = await resolvers[serviceOperation(access.operation).accountFrom ?? 'platform'](actor, access)
  if (account === null && limits(actor, access)) {
    throw new AppError('forbidden', `You need a role for the whole platform to ${serviceOperation(access.operation).verbPhrase}`)
  }
  return scopeOf(actor, access.environment, account, priorityOf(access.operation))
}

/** Adds the account of the scope to the fields of a list that takes `account_id`: it shows no other account's rows. */
export function narrowed(operation: ServiceOperationId, fields: Record<string, unknown>, scope: ScopedAccount): Record<string, unknown> {
  return serviceOperation(operation).accountFrom === 'query' && scope.accountId ? { ...fields, account_id: scope.accountId } : fields
}

type ListRead = { data: unknown; meta: { total_items?: number; unreadable_rows?: readonly UnreadableRow[] } }

/**
 * Limits a list of accounts to those that the person can see, and counts only those. The service lists all accounts of the platform's key.
 * An unreadable row could be any account, so a limited person gets none.
 */
export function ownAccounts<R extends ListRead>(operation: ServiceOperationId, read: R, actor: Actor, environment: Environment): R {
  const granted = serviceOperation(operation).accountFrom === 'answer' ? accountsGranted(actor.grants, environment) : null
  if (!granted) return read
  const data = (read.data as readonly Account[]).filter((account) => granted.includes(account.id))
  const { unreadable_rows: _, ...meta } = read.meta
  return { ...read, data, meta: { ...meta, total_items: data.length } }
}
