import 'server-only'
import { AppError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import type { Desk } from '@/lib/operations/desk'
import { accountLearnt, accountsLearnt, learnAccount } from './account-index'
import { environmentOf, permit } from './guard'
import { parseInput } from './proxy/input'
import { respond, respondError } from './proxy/respond'
import { readService } from './proxy/service-read'
import { newRequestId } from './request-id'
import { accountsGranted, accountText, rolesIn, scopeOf } from './scoped-account'
import { currentActor, requireActor } from './session'
import type { Actor } from './session-rows'

/** Accounts looked into for one question, at most: every look is a call on the platform's shared rate budget. */
const mostLooks = 25

const kinds = {
  payouts: 'payouts.get',
  charges: 'charges.get',
  customers: 'customers.get',
  paykeys: 'paykeys.get',
  funding_events: 'funding_events.get',
} as const
type Kind = keyof typeof kinds

/** What a search for an object's account found; `complete` says whether every account the person may see was looked into. */
export type AccountFound = { account: string | null; searched: number; complete: boolean }

/** What was learnt about accounts, as far as the person behind the page holds a role there: no other is named to them. */
async function named(desk: Desk, learnt: Iterable<[target: string, accountId: string]>): Promise<Record<string, string>> {
  const actor = await currentActor()
  const mayKnow = (accountId: string) => actor !== null && rolesIn(actor.grants, desk.environment, accountId).length > 0
  return Object.fromEntries([...learnt].flatMap(([target, accountId]) => (mayKnow(accountId) ? [[target, accountText(accountId)]] : [])))
}

/** The account of an object as far as it was learnt and the person may know it, without asking the service. */
export async function knownAccountOf(desk: Desk, target: string): Promise<string | null> {
  const accountId = await accountLearnt(desk.environment, target)
  return accountId ? ((await named(desk, [[target, accountId]]))[target] ?? null) : null
}

/** The accounts of several objects in the same way, by target; one question to the store. */
export const knownAccountsOf = async (desk: Desk, targets: readonly string[]): Promise<Record<string, string>> =>
  named(desk, await accountsLearnt(desk.environment, targets))

async function candidates(actor: Actor, environment: Environment): Promise<string[]> {
  const granted = accountsGranted(actor.grants, environment)
  if (granted) return granted
  const { data } = await readService('accounts.list', { page_size: 1000 }, scopeOf(actor, environment, null))
  return data.map((account) => account.id)
}

async function isIn(kind: Kind, id: string, actor: Actor, environment: Environment, accountId: string): Promise<boolean> {
  try {
    await readService(kinds[kind], { id }, scopeOf(actor, environment, accountId))
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'service_not_found') return false
    throw error
  }
}

async function find(actor: Actor, environment: Environment, kind: Kind, id: string): Promise<AccountFound> {
  const target = `${kind}/${id}`
  const learnt = await accountLearnt(environment, target)
  if (learnt && rolesIn(actor.grants, environment, learnt).length > 0) return { account: accountText(learnt), searched: 0, complete: true }
  const all = await candidates(actor, environment)
  const looked = all.slice(0, mostLooks)
  for (const [at, accountId] of looked.entries()) {
    if (!(await isIn(kind, id, actor, environment, accountId))) continue
    await learnAccount(environment, target, accountId)
    return { account: accountText(accountId), searched: at + 1, complete: true }
  }
  return { account: null, searched: looked.length, complete: looked.length === all.length }
}

/**
 * Serves the question which account an object belongs to, by asking in each account the person may see until one has it; the answer is
 * remembered. The service's objects do not say it themselves.
 */
export async function serveAccountOf(request: Request, context: { params: Promise<{ environment: string }> }): Promise<Response> {
  const requestId = newRequestId()
  try {
    const environment = environmentOf((await context.params).environment)
    const actor = await requireActor(request)
    const query = new URL(request.url).searchParams
    const kind = query.get('resource') ?? ''
    if (!Object.hasOwn(kinds, kind)) throw new AppError('invalid_input', `resource: must be one of ${Object.keys(kinds).join(', ')}`)
    const operation = kinds[kind as Kind]
    const { id } = parseInput(operation, { id: query.get('id') ?? '' }) as { id: string }
    const limited = accountsGranted(actor.grants, environment)?.[0] ?? null
    await permit(actor, { environment, operation, account: limited, target: null })
    const data = await find(actor, environment, kind as Kind, id)
    return respond(200, { response_type: 'object', meta: { request_id: requestId }, data })
  } catch (error) {
    return respondError(error, requestId)
  }
}
