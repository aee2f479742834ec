import 'server-only'
import { whyNotAllowed } from '@/lib/domain/permissions'
import { AppError } from '@/lib/errors'
import type { Account } from '@/lib/operations/accounts.schema'
import type { Environment } from '@/lib/operations/define'
import { type OperationId, rowOf } from '@/lib/operations/rows'
import { accountLearnt, learnAccount } from './account-index'
import { HiddenObject, readTarget } from './hidden-object'
import type { Fields } from './proxy/input'
import { accountsGranted, type Priority, parseAccount, type ScopedAccount, scopeOf, wholePlatform } from './scoped-account'
import type { Actor } from './session-rows'

/** What somebody asks to do; `account` is the scope they named, `fields` what the request carries besides its path. */
export type Asked = {
  environment: Environment
  operation: OperationId
  account: string | null
  target: string | null
  fields?: Fields
}

/**
 * Where the account of an operation stands that may not carry the account header: in its path, in its query or body as `account_id`, on the
 * object it works on. `any`: its answer is cut down to the accounts of the person. `platform`: it is nobody's but the platform's own.
 */
type Way = 'path' | 'query' | 'body' | 'object' | 'any' | 'platform'

/** One way for each operation whose scope is `forbidden`. One that is missing here is the platform's own. */
export const ways: Readonly<Record<string, Way>> = {
  'accounts.list': 'any',
  'accounts.create': 'platform',
  'accounts.get': 'path',
  'accounts.update': 'path',
  'accounts.onboard': 'path',
  'accounts.simulate': 'path',
  'account_settings.get': 'path',
  'organizations.create': 'platform',
  'organizations.list': 'platform',
  'organizations.get': 'platform',
  'representatives.create': 'body',
  'representatives.list': 'query',
  'representatives.get': 'object',
  'representatives.update': 'object',
  'representatives.unmask': 'object',
  'linked_bank_accounts.create': 'body',
  'linked_bank_accounts.list': 'query',
  'linked_bank_accounts.get': 'object',
  'linked_bank_accounts.update': 'object',
  'linked_bank_accounts.cancel': 'object',
  'linked_bank_accounts.unmask': 'object',
}

/** What a write needs to read before it can be sent is as urgent as the write itself. */
export const priorityOf = (operation: OperationId): Priority => (rowOf(operation).effect === 'read' ? 'read' : 'write')

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The accounts a person is limited to here; null for who has a grant for the whole platform. */
const limits = (actor: Actor, asked: Asked): string[] | null => accountsGranted(actor.grants, asked.environment)

const named = (asked: Asked): string | null => (asked.account ? parseAccount(asked.account) : null)

const refuseField = (detail: string) =>
  new AppError('invalid_input', `account_id: ${detail}`, { items: [{ reference: 'account_id', detail }] })

/** The account a field names. What is no id is left to the operation's schema, unless the person must name one of theirs. */
async function accountInFields(actor: Actor, asked: Asked, fallback: string | null): Promise<string | null> {
  const given = (await asked.fields?.())?.account_id
  if (typeof given === 'string' && uuid.test(given)) return given.toLowerCase()
  const own = limits(actor, asked)
  if (own && (given !== undefined || !fallback)) throw refuseField('name one of your accounts; you have no role for the whole platform')
  return fallback
}

/**
 * The account of an object that says it itself. Null where it belongs to the platform, and where nobody needs to know. Throws the same for an object
 * the person has no role for as for one that does not exist.
 */
async function accountOfObject(actor: Actor, asked: Asked): Promise<string | null> {
  const { operation, target } = asked
  const own = limits(actor, asked)
  if (!target) return own?.[0] ?? null
  const { effect, sensitive } = rowOf(operation)
  if (!own && effect === 'read' && !sensitive) return null
  const learnt = await accountLearnt(asked.environment, target)
  if (learnt && (!own || own.includes(learnt))) return learnt
  // Asked also where the account is known: what goes wrong on the way goes wrong for an object that does not exist as well.
  const account = await accountRead(actor, { ...asked, target })
  if (own && !own.includes(account ?? '')) throw new HiddenObject()
  return account
}

/** The account an object says it belongs to, read with the platform's own scope and remembered. */
async function accountRead(actor: Actor, { environment, operation, target }: Asked & { target: string }): Promise<string | null> {
  const scope = wholePlatform(environment, { person: actor.id, priority: priorityOf(operation) })
  const read = await readTarget(operation, target, scope)
  const { account_id: account = null } = (read?.data ?? {}) as { account_id?: string | null }
  if (account) await learnAccount(environment, target, account)
  return account
}

const finders: Readonly<Record<Way, (actor: Actor, asked: Asked) => Promise<string | null> | string | null>> = {
  any: (actor, asked) => named(asked) ?? limits(actor, asked)?.[0] ?? null,
  path: (actor, asked) => asked.target?.split('/')[1] ?? limits(actor, asked)?.[0] ?? null,
  query: (actor, asked) => {
    const own = limits(actor, asked)
    return accountInFields(actor, asked, named(asked) ?? (own?.length === 1 ? (own[0] ?? null) : null))
  },
  body: (actor, asked) => accountInFields(actor, asked, null),
  object: accountOfObject,
  platform: () => null,
}

/** Refuses who has the role nowhere in the environment, before anything is read to find out where it would be needed. */
function requireRoleSomewhere(actor: Actor, { environment, operation }: Asked): void {
  const held = actor.grants.filter((grant) => grant.environment === environment).map((grant) => grant.role)
  if (held.length === 0) throw new AppError('forbidden', `You have no role in ${environment}`)
  const why = whyNotAllowed(held, operation)
  if (why) throw new AppError('forbidden', why)
}

/**
 * The scope of an operation that carries no account header: the account it is about, checked against the person's grants. It stands in the
 * record and decides who sees it; the client keeps it off the wire. Throws `forbidden`, `invalid_input` naming `account_id`, and what reading
 * the object throws.
 */
export async function reachOf(actor: Actor, asked: Asked): Promise<ScopedAccount> {
  requireRoleSomewhere(actor, asked)
  const way = ways[asked.operation] ?? 'platform'
  const account = await finders[way](actor, asked)
  if (account === null && limits(actor, asked)) {
    throw new AppError('forbidden', `You need a role for the whole platform to ${rowOf(asked.operation).does}`)
  }
  return scopeOf(actor, asked.environment, account, priorityOf(asked.operation))
}

/** The fields of a request with the account it was narrowed to: a list that takes `account_id` shows no other account's. */
export function narrowed(operation: OperationId, fields: Record<string, unknown>, scope: ScopedAccount): Record<string, unknown> {
  return ways[operation] === 'query' && scope.accountId ? { ...fields, account_id: scope.accountId } : fields
}

type AccountsRead = { data: readonly Account[]; meta: { total_items?: number } }

/** A list of accounts as a person may see it: limited to some, they see and count those only, whatever the service lists for the platform's key. */
export function ownAccounts<R extends AccountsRead>(read: R, actor: Actor, scope: ScopedAccount): R {
  const granted = accountsGranted(actor.grants, scope.environment)
  if (!granted) return read
  const data = read.data.filter((account) => granted.includes(account.id))
  return { ...read, data, meta: { ...read.meta, total_items: data.length } }
}
