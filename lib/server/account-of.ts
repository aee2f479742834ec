import 'server-only'
import { AppError } from '@/lib/errors'
import type { Desk } from '@/lib/operations/desk'
import { accountLearnt, accountsLearnt } from './account-index'
import { findAccount, type Searchable, searchable } from './account-search'
import { environmentOf, permit } from './guard'
import { handler } from './http/handler'
import { parseInput } from './proxy/input'
import { respond } from './proxy/respond'
import { accountsGranted, accountText, rolesIn } from './scoped-account'
import { currentActor } from './session'

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

/**
 * Serves the question which account an object belongs to, by asking in the likeliest of the accounts the person may see. The service's objects do not
 * say it themselves.
 */
export const serveAccountOf = handler<{ environment: string }>(
  { name: 'account_of.find' },
  async ({ request, params, actor, requestId }) => {
    const environment = environmentOf(params.environment)
    const query = new URL(request.url).searchParams
    const kind = query.get('resource') ?? ''
    if (!Object.hasOwn(searchable, kind))
      throw new AppError('invalid_input', `resource: must be one of ${Object.keys(searchable).join(', ')}`)
    const operation = searchable[kind as Searchable]
    const { id } = parseInput(operation, { id: query.get('id') ?? '' }) as { id: string }
    const limited = accountsGranted(actor.grants, environment)?.[0] ?? null
    await permit(actor, { environment, operation, account: limited, target: null })
    const data = await findAccount({ actor, environment, kind: kind as Searchable, id })
    return respond(200, { response_type: 'object', meta: { request_id: requestId }, data })
  },
)
