import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import type { Environment } from '@/lib/operations/define'
import type { Desk } from '@/lib/operations/desk'
import { log } from './log'
import { readService } from './proxy/service-read'
import { inBackground, parseAccount, type ScopedAccount, scopeOf } from './scoped-account'
import { currentActor } from './session'
import type { Actor } from './session-rows'

/** At most so many accounts are asked in one sweep, a few at a time: the calls count against the platform's shared rate budget. */
const mostAccounts = 25
const atOnce = 4
/** A sweep is made once a minute at most for each of these, and a page waits for it this long (milliseconds). */
const every = 60_000
const patience = 400

type Look = (scope: ScopedAccount) => Promise<unknown>

const page = { page_number: 1, page_size: 1000 }

/** What waits for somebody, and how each account is asked for its own. A list teaches the account of every row it answers with. */
const looks = {
  'held payouts': (scope) => readService('payments.search', { payment_type: ['payout'], payment_status: ['on_hold'], ...page }, scope),
  'held charges': (scope) => readService('payments.search', { payment_type: ['charge'], payment_status: ['on_hold'], ...page }, scope),
  'paykeys to decide': (scope) => readService('paykeys.list', { status: ['review', 'blocked'], ...page }, scope),
  'customers to decide': (scope) => readService('customers.list', { status: ['review'], ...page }, scope),
  // The newest first, because there may be more of them than a page holds.
  'payments come back': (scope) =>
    readService('payments.search', { payment_status: ['failed', 'reversed'], sort_by: 'updated_at', sort_order: 'desc', ...page }, scope),
} satisfies Record<string, Look>

/** Something that a list over all accounts shows and whose accounts can be learnt. */
export type Swept = keyof typeof looks

const lastAt = new Map<`${Environment} ${Swept}`, number>()

async function sweep(actor: Actor, environment: Environment, look: Look, accounts: readonly string[]): Promise<void> {
  for (let at = 0; at < accounts.length; at += atOnce) {
    await Promise.all(
      accounts.slice(at, at + atOnce).map((account) => look(inBackground(scopeOf(actor, environment, parseAccount(account))))),
    )
  }
}

/**
 * Learns which accounts the objects of a list over the whole platform belong to, by asking each account for its own, because the platform's list
 * does not say. Waits a moment for it; what comes later shows on the next look. Never throws: an unknown account is shown as unknown.
 */
export async function learnAccountsOf(desk: Desk, what: Swept): Promise<void> {
  const actor = await currentActor()
  const key = `${desk.environment} ${what}` as const
  const last = lastAt.get(key) ?? Number.NEGATIVE_INFINITY
  if (!actor || desk.account !== null || performance.now() - last < every) return
  lastAt.set(key, performance.now())
  const accounts = desk.accounts.slice(0, mostAccounts).map((account) => account.id)
  const swept = sweep(actor, desk.environment, looks[what], accounts).catch(() =>
    log.warn({ event: 'account.sweep_failed', environment: desk.environment }),
  )
  await Promise.race([swept, wait(patience)])
}
