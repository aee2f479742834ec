import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import type { Environment } from '@/lib/operations/define'
import type { Desk } from '@/lib/operations/desk'
import { log } from './log'
import { readService } from './proxy/service-read'
import { parseAccount, scopeOf } from './scoped-account'
import { currentActor } from './session'
import type { Actor } from './session-rows'

/** At most so many accounts are asked in one sweep, a few at a time: the calls count against the platform's shared rate budget. */
const mostAccounts = 25
const atOnce = 4
/** A sweep is made once a minute at most, and a page waits for it this long (milliseconds). */
const every = 60_000
const patience = 400

const lastAt = new Map<Environment, number>()

async function sweep(actor: Actor, environment: Environment, accounts: readonly string[]): Promise<void> {
  const held = { payment_type: ['payout'], payment_status: ['on_hold'], page_size: 1000 }
  for (let at = 0; at < accounts.length; at += atOnce) {
    await Promise.all(
      accounts
        .slice(at, at + atOnce)
        .map((account) => readService('payments.search', held, scopeOf(actor.grants, environment, parseAccount(account)))),
    )
  }
}

/**
 * Learns which accounts the held payouts of the whole platform belong to, by asking each account for its own, because the platform's list does
 * not say. Waits a moment for it; what comes later shows on the next look. Never throws: an unknown account is shown as unknown.
 */
export async function learnHeld(desk: Desk): Promise<void> {
  const actor = await currentActor()
  const last = lastAt.get(desk.environment) ?? Number.NEGATIVE_INFINITY
  if (!actor || desk.account !== null || performance.now() - last < every) return
  lastAt.set(desk.environment, performance.now())
  const accounts = desk.accounts.slice(0, mostAccounts).map((account) => account.id)
  const swept = sweep(actor, desk.environment, accounts).catch(() =>
    log.warn({ event: 'account.sweep_failed', environment: desk.environment }),
  )
  await Promise.race([swept, wait(patience)])
}
