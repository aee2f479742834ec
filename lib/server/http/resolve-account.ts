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
 * Reads the object somebody asks about in a scope, to find out whether it is there and whose it is; null where its resource has no such read. Throws
 * the one refusal of an object that is not there, and `not_sent` where that cannot be told.
 */
export async function readTarget(operation: ServiceOperationId, target: string, scope: ScopedAccount): Promise<Read<ReadId> | null> {
  const get = `${resourceOf(operation)}.get`
  if (!isServiceOperationId(get)) return null
  const id = target.slice(target.indexOf('/') + 1)
  return readService(get as ReadId, { id } as never, scope).catch((cause: unknown) => {
    // Without the id the service gave its answer: the refusal of a hidden object has none.
    if (cause instanceof AppError && cause.code === 'service_not_found') throw new AppError('service_not_found', nowhere, { cause })
    return asNotSent('The object')(cause)
  })
}

/** What somebody asks to do; `account` is the scope they named, `fields` what the request carries besides its path. */
export type AccessRequest = {
  environment: Environment
  operation: ServiceOperationId
  account: string | null
  target: string | null
  fields?: Fields
}

/** What a write needs to read before it can be sent is as urgent as the write itself. */
export const priorityOf = (operation: ServiceOperationId): Priority => (serviceOperation(operation).effect === 'read' ? 'read' : 'write')

/** The accounts a person is limited to here; null for who has a grant for the whole platform. */
const limits = (actor: Actor, access: AccessRequest): string[] | null => accountsGranted(actor.grants, access.environment)

const named = (access: AccessRequest): string | null => (access.account ? parseAccount(access.account) : null)

const refuseField = (detail: string) =>
  new AppError('invalid_input', `account_id: ${detail}`, { items: [{ reference: 'account_id', detail }] })

/** The account a field names. What is no id is left to the operation's schema, unless the person must name one of theirs. */
async function accountInFields(actor: Actor, access: AccessRequest, fallback: string | null): Promise<string | null> {
  const given = (await access.fields?.())?.account_id
  if (typeof given === 'string' && isUuid(given.toLowerCase())) return given.toLowerCase()
  const own = limits(actor, access)
  if (own && (given !== undefined || !fallback)) throw refuseField('name one of your accounts; you have no role for the whole platform')
  return fallback
}

/**
 * The account of an object that says it itself. Null where it belongs to the platform, and where nobody needs to know. Throws the same for an object
 * the person has no role for as for one that does not exist.
 */
async function accountOfObject(actor: Actor, access: AccessRequest): Promise<string | null> {
  const { operation, target } = access
  const own = limits(actor, access)
  if (!target) return own?.[0] ?? null
  const { effect, sensitive } = serviceOperation(operation)
  if (!own && effect === 'read' && !sensitive) return null
  const indexed = await accountOf(access.environment, target)
  if (indexed && (!own || own.includes(indexed))) return indexed
  // Asked also where the account is known: what goes wrong on the way goes wrong for an object that does not exist as well.
  const account = await accountRead(actor, { ...access, target })
  if (own && !own.includes(account ?? '')) throw new HiddenObject()
  return account
}

/**
 * The account an object says it belongs to, read with the platform's own scope and remembered. Throws `not_sent` where it names one that cannot be
 * read: it would pass for the platform's own.
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

/** Refuses who has the role nowhere in the environment, before anything is read to find out where it would be needed. */
function requireRoleSomewhere(actor: Actor, { environment, operation }: AccessRequest): void {
  const held = actor.grants.filter((grant) => grant.environment === environment).map((grant) => grant.role)
  if (held.length === 0) throw new AppError('forbidden', `You have no role in ${environment}`)
  const why = whyNotAllowed(held, definitionOf(operation))
  if (why) throw new AppError('forbidden', why)
}

/**
 * The scope of an operation that carries no account header: the account it is about, checked against the person's grants. It is in the
 * record and decides who sees it; the client keeps it off the wire. Throws `forbidden`, `invalid_input` naming `account_id`, and what reading
 * the object throws.
 */
export async function resolveAccount(actor: Actor, access: AccessRequest): Promise<ScopedAccount> {
  requireRoleSomewhere(actor, access)
  const account = await resolvers[serviceOperation(access.operation).accountFrom ?? 'platform'](actor, access)
  if (account === null && limits(actor, access)) {
    throw new AppError('forbidden', `You need a role for the whole platform to ${serviceOperation(access.operation).verbPhrase}`)
  }
  return scopeOf(actor, access.environment, account, priorityOf(access.operation))
}

/** The fields of a request with the account it was narrowed to: a list that takes `account_id` shows no other account's. */
export function narrowed(operation: ServiceOperationId, fields: Record<string, unknown>, scope: ScopedAccount): Record<string, unknown> {
  return serviceOperation(operation).accountFrom === 'query' && scope.accountId ? { ...fields, account_id: scope.accountId } : fields
}

type ListRead = { data: unknown; meta: { total_items?: number; unreadable_rows?: readonly UnreadableRow[] } }

/**
 * A read as a person may see it. Where each row of the answer is an account, one who is limited to some sees and counts those only, whatever the service
 * lists for the platform's key; a row that could not be read may be anybody's, so they see none.
 */
export function ownAccounts<R extends ListRead>(operation: ServiceOperationId, read: R, actor: Actor, environment: Environment): R {
  const granted = serviceOperation(operation).accountFrom === 'answer' ? accountsGranted(actor.grants, environment) : null
  if (!granted) return read
  const data = (read.data as readonly Account[]).filter((account) => granted.includes(account.id))
  const { unreadable_rows: _, ...meta } = read.meta
  return { ...read, data, meta: { ...meta, total_items: data.length } }
}
