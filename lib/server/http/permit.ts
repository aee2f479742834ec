import 'server-only'
import { approverCannotDecide, rolesText, senderCannotDecide } from '@/lib/domain/permissions'
import { AppError } from '@/lib/errors'
import { isUuid } from '@/lib/formats'
import { canDecideReviews, type Environment, environments } from '@/lib/operations/define'
import { resourceOf, type ServiceOperationId, serviceOperation } from '@/lib/operations/service-operations'
import type { Action } from '@/lib/server/actions/action-log'
import { decidableByOthers } from '@/lib/server/actions/decide'
import { recordRefusal, refusalIn } from '@/lib/server/audit/refusals'
import {
  accountNamed,
  accountsGranted,
  accountText,
  parseAccount,
  requireRole,
  rolesIn,
  type ScopedAccount,
  scopeOf,
} from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { configuredEnvironments, env } from '@/lib/server/config/env'
import { loopbackNames } from '@/lib/server/config/setting-forms'
import { accountOf } from '@/lib/server/mirror/account-of'
import { database } from '@/lib/server/store/store'
import { type AccessRequest, priorityOf, readTarget, resolveAccount } from './resolve-account'

/**
 * True if an `Origin` is that of our own pages. If ours is a loopback name, other loopback names on the same port count too: people type
 * `localhost`, and no other site can use that name.
 */
export function isOwnOrigin(origin: string | null, ours: string): boolean {
  if (origin === null || !URL.canParse(origin)) return false
  if (origin === ours) return true
  const [given, own] = [new URL(origin), new URL(ours)]
  const bothLoopback = loopbackNames.has(given.hostname) && loopbackNames.has(own.hostname)
  return bothLoopback && given.protocol === own.protocol && given.port === own.port
}

/**
 * Requires that a write comes from our own pages: our origin, and `same-origin` in `Sec-Fetch-Site` if the browser sends it. Refuses a
 * missing origin. Throws `other_site`.
 */
export function requireSameOrigin(request: Request): void {
  const site = request.headers.get('sec-fetch-site')
  if (isOwnOrigin(request.headers.get('origin'), env().appOrigin) && (site === null || site === 'same-origin')) return
  throw new AppError('other_site', `Writes are taken from ${env().appOrigin} only`)
}

/**
 * Requires that a read of masked data comes from our own pages. Browsers send no origin with such a request, so `Sec-Fetch-Site` is
 * required. Throws `other_site`.
 */
export function requireSameOriginRead(request: Request): void {
  if (request.headers.get('sec-fetch-site') === 'same-origin') return
  throw new AppError('other_site', `This is shown on pages of ${env().appOrigin} only`)
}

/**
 * Refuses a request of a page that was rendered for another person (`Drawn-For` header). A second person has signed in in another tab of
 * the browser. Our pages always send the header; a request without it is not from a page. Throws `other_person` with the name of the
 * signed-in person.
 */
export function requireSamePerson(request: Request, { id, name }: Pick<Actor, 'id' | 'name'>): void {
  const drawnFor = request.headers.get('drawn-for')
  if (drawnFor === null || drawnFor === id) return
  throw new AppError('other_person', `You are signed in as ${name} now. Nothing was done. Reload to continue as ${name}`, {
    items: [{ reference: 'signed_in_as', detail: name }],
  })
}

/** Returns the environment that a URL names. Throws `not_found` if it is unknown or has no key. */
export function environmentOf(word: string): Environment {
  const found = environments.find((name) => name === word)
  if (found && configuredEnvironments().includes(found)) return found
  throw new AppError('not_found', 'There is no such environment here')
}

/**
 * Returns the object of an operation as `<resource>/<id>`. Null for a search and for an invalid id: permission is checked before the input
 * is parsed, and invalid text must not reach the store or an audit row. A charge or payout found in a search counts as its own kind.
 */
export const targetOf = (id: ServiceOperationId, params: Record<string, string>): string | null =>
  isUuid((params.id ?? '').toLowerCase()) ? `${resourceOf(id)}/${params.id?.toLowerCase()}` : null

/**
 * Returns the account that a call must carry: the named one, else the known account of the object. Throws `invalid_input` if the two differ
 * or neither is set. The error contains the known account only for a person with a role there. For a person limited to some accounts, an
 * object not known to be in the named account is first read there. It throws `service_not_found` if it does not exist there.
 */
async function accountNeeded(actor: Actor, access: AccessRequest, named: string | null): Promise<string> {
  const { environment, operation, target } = access
  const indexed = target ? await accountOf(environment, target) : null
  const mayKnow = indexed !== null && rolesIn(actor.grants, environment, indexed).length > 0
  if (target && named && indexed !== named && !mayKnow && accountsGranted(actor.grants, environment)) {
    // Read it even if another account is known to have it, so that both cases fail in the same way.
    await readTarget(operation, target, scopeOf(actor, environment, named, priorityOf(operation)))
    return named
  }
  if (indexed && named && indexed !== named) {
    const detail = `is not the account of this object, which belongs to ${accountText(indexed)}`
    throw new AppError('invalid_input', `account: ${detail}`, { items: [{ reference: 'account', detail }] })
  }
  const account = named ?? indexed
  if (account) return account
  const detail = 'name the account; without one this would act for the whole platform'
  throw new AppError('invalid_input', `account: ${detail}`, { items: [{ reference: 'account', detail }] })
}

/** Refuses an operation that exists only in another environment. */
function requireEnvironment({ operation, environment }: AccessRequest): void {
  const { only, verbPhrase } = serviceOperation(operation)
  if (only && only !== environment) throw new AppError('forbidden', `It is possible only in the ${only} to ${verbPhrase}`)
}

/** Decides like `permit`, without an audit row. Reads nothing if the request names no object. */
export async function decideScope(actor: Actor, access: AccessRequest): Promise<ScopedAccount> {
  requireEnvironment(access)
  const { scope: header } = serviceOperation(access.operation)
  if (header === 'forbidden') {
    const scope = await resolveAccount(actor, access)
    requireRole(scope, access.operation)
    return scope
  }
  const named = access.account ? parseAccount(access.account) : null
  const priority = priorityOf(access.operation)
  // Check the roles first, in the widest scope requested: a person who may not act gets this error before any about the object.
  const wide = scopeOf(actor, access.environment, named, priority)
  requireRole(wide, access.operation)
  if (header === 'optional') return wide
  const scope = scopeOf(actor, access.environment, await accountNeeded(actor, access, named), priority)
  requireRole(scope, access.operation)
  return scope
}

type Denied = { environment: Environment; operation: ServiceOperationId; target: string | null; account?: string | null }

/** Runs a check, and audits its refusal before rethrowing it: the details of the request are best known here. */
export async function onRecord<T>(actor: Actor, access: Denied, check: () => Promise<T> | T): Promise<T> {
  try {
    return await check()
  } catch (error) {
    if (!refusalIn(error)) throw error
    const { environment, operation, target } = access
    const account = accountNamed(access.account) ?? (target && (await accountOf(environment, target).catch(() => null)))
    await recordRefusal(error, { name: operation, actor, environment, target, account })
    throw error
  }
}

/**
 * Checks the permission and returns the scope for the call to the service. Throws `forbidden` or `invalid_input`. A refusal is audited
 * first.
 */
export const permit = (actor: Actor, access: AccessRequest): Promise<ScopedAccount> =>
  onRecord(actor, access, () => decideScope(actor, access))

type RecordedAction = Pick<Action, 'id' | 'environment' | 'operation' | 'accountId' | 'target' | 'actorId' | 'approval'>

/** Checks the permission for an action in the log. Its account was fixed when it was recorded. */
export const permitRecorded = (actor: Actor, action: RecordedAction): Promise<void> => {
  const operation = action.operation as ServiceOperationId
  return onRecord(actor, { ...action, operation, account: action.accountId }, () =>
    requireRole(scopeOf(actor, action.environment, action.accountId), operation),
  )
}

/**
 * Checks that a person may decide the unknown outcome of an action. Its sender and its approver may not, whatever their role: they could
 * declare a payment failed and pay again. Throws `forbidden`, audited.
 */
export const permitDecision = (actor: Actor, action: RecordedAction): Promise<void> =>
  onRecord(actor, { ...action, operation: action.operation as ServiceOperationId, account: action.accountId }, async () => {
    const { roles } = scopeOf(actor, action.environment, action.accountId)
    if (!canDecideReviews.some((role) => roles.includes(role))) {
      throw new AppError('forbidden', `Only ${rolesText(canDecideReviews)} can decide the outcome of an action.`)
    }
    if (action.approval?.by === actor.id) throw new AppError('forbidden', approverCannotDecide)
    if (action.actorId !== actor.id) return
    const others = await decidableByOthers(await database(), [action.id])
    throw new AppError('forbidden', senderCannotDecide(others.has(action.id)))
  })
