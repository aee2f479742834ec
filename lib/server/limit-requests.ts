import 'server-only'
import type { LimitRequestView, LimitUses } from '@/lib/domain/limit-request'
import { limitSetOf } from '@/lib/domain/limit-words'
import { AppError, type WireError } from '@/lib/errors'
import type { AccountSettings } from '@/lib/operations/account-settings.schema'
import type { CapabilityRequest } from '@/lib/operations/capability-requests.schema'
import type { Desk } from '@/lib/operations/desk'
import { permit } from './guard'
import { noteEnds, openRequestsOf, requestsOf, type Standing, viewOf } from './limit-rows'
import { limitUsesOf } from './limit-use'
import { readService } from './proxy/service-read'
import { failedRead } from './read'
import { accountNamed, accountsGranted, type ScopedAccount, scopeOf } from './scoped-account'
import { currentActor } from './session'
import type { Actor } from './session-rows'
import { database } from './store/store'

/** What the service holds of one account's limits, as it was read. */
export type ReadStanding = { settings: AccountSettings; capabilities: readonly CapabilityRequest[]; snapshot: string | undefined }

/** The account of a scope that was checked for one. */
function accountOf({ accountId }: ScopedAccount): string {
  if (!accountId) throw new AppError('invalid_input', 'account: name the account whose limits this is about')
  return accountId
}

/** Reads the settings in force and the capability requests of an account. Throws what a read throws. */
export async function readStanding(scope: ScopedAccount): Promise<ReadStanding> {
  const newest = { page_size: 100, sort_by: 'created_at', sort_order: 'desc' } as const
  const [settings, capabilities] = await Promise.all([
    readService('account_settings.get', { id: accountOf(scope) }, scope),
    readService('capability_requests.list', newest, scope),
  ])
  return { settings: settings.data, capabilities: capabilities.data, snapshot: settings.meta.snapshot }
}

/** A reading as requests are judged by. */
export const standingOf = ({ settings, capabilities }: ReadStanding): Standing => ({
  limits: { charges: limitSetOf(settings.charges), payouts: limitSetOf(settings.payouts) },
  capabilities,
})

const unread: Standing = { limits: null, capabilities: null }

/** The requests of one account as they stand, newest first; those that have ended are written down as ended. */
export async function trackRequests(scope: ScopedAccount, readerId: string, standing: Standing): Promise<LimitRequestView[]> {
  const kept = await requestsOf(scope.environment, accountOf(scope))
  const views = kept.map((each) => viewOf(each, standing, readerId, Date.now()))
  await noteEnds(await database(), views)
  return views
}

/** The requests of the account of a checked scope. A service that cannot be asked takes nothing away but the newest word on them. */
export async function limitRequestsIn(scope: ScopedAccount, actor: Actor): Promise<LimitRequestView[]> {
  const kept = await requestsOf(scope.environment, accountOf(scope))
  if (kept.length === 0) return []
  const standing = await readStanding(scope).then(standingOf, () => unread)
  return trackRequests(scope, actor.id, standing)
}

/** What a page's reading of requests came to. */
export type LoadedRequests = { ok: true; requests: LimitRequestView[]; readAt: string } | { ok: false; error: WireError; requestId: string }

async function loaded(desk: Desk, work: (actor: Actor) => Promise<LimitRequestView[]>): Promise<LoadedRequests> {
  const actor = await currentActor()
  try {
    if (!actor) throw new AppError('unauthenticated', 'Your session has ended: sign in again')
    return { ok: true, requests: await work(actor), readAt: new Date().toISOString() }
  } catch (error) {
    return failedRead(error, {
      name: 'capability_requests.list',
      actor,
      environment: desk.environment,
      account: accountNamed(desk.account),
    })
  }
}

/** The scope in which a person may look at the limits of the account they named. Throws `forbidden` and `invalid_input`. */
export const permitLimits = (actor: Actor, { environment, account }: Pick<Desk, 'environment' | 'account'>): Promise<ScopedAccount> =>
  permit(actor, { environment, operation: 'capability_requests.list', account, target: null })

/** The requests of the desk's account for a server-rendered view. Never throws for what the service or a permission says. */
export const loadLimitRequests = (desk: Desk): Promise<LoadedRequests> =>
  loaded(desk, async (actor) => limitRequestsIn(await permitLimits(actor, desk), actor))

/** What the desk's account has used of its limits, for a server-rendered view; null where the person may not look or nobody is signed in. */
export async function loadLimitUses(desk: Desk): Promise<{ uses: LimitUses; readAt: string } | null> {
  const actor = await currentActor()
  const scope = actor && (await permitLimits(actor, desk).catch(() => null))
  return scope && { uses: await limitUsesOf(scope), readAt: new Date().toISOString() }
}

/** At most so many accounts are asked about their open requests for one view, a few at a time: the calls count against the shared rate budget. */
const mostAccounts = 20
const atOnce = 4

async function inGroups<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const done: R[] = []
  for (let at = 0; at < items.length; at += atOnce) done.push(...(await Promise.all(items.slice(at, at + atOnce).map(work))))
  return done
}

/** The open requests of every account the person may see, oldest first, each as it stands. */
export const loadOpenRequests = (desk: Desk): Promise<LoadedRequests> =>
  loaded(desk, async (actor) => {
    const granted = accountsGranted(actor.grants, desk.environment)
    const open = await openRequestsOf(desk.environment, granted)
    const accounts = [...new Set(open.map(({ row }) => row.accountId))]
    const standings = new Map(
      await inGroups(accounts.slice(0, mostAccounts), async (accountId) => {
        const standing = await readStanding(scopeOf(actor, desk.environment, accountId)).then(standingOf, () => unread)
        return [accountId, standing] as const
      }),
    )
    const views = open.map((kept) => viewOf(kept, standings.get(kept.row.accountId) ?? unread, actor.id, Date.now()))
    await noteEnds(await database(), views)
    return views
  })
