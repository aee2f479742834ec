import type { z } from 'zod'
import { Problem, unauthorized } from '@/sandbox/http/problem'
import { type RequestedLink, requireLinkable } from '@/sandbox/paykeys/linking-rules'
import { newPaykey } from '@/sandbox/paykeys/new-paykey'
import type { PaykeyEntry } from '@/sandbox/paykeys/paykey-store'
import type { Sandbox } from '@/sandbox/sandbox'
import { iso } from '@/sandbox/store/clock'
import type { BridgeClaims } from './bridge-token'
import { chosenBy, type linkChoice } from './link-choice'

/** The paykey of each choice made with a token, so that a repeated choice creates only one. */
export const bridgeLinksTable = `
CREATE TABLE IF NOT EXISTS bridge_links (jti TEXT NOT NULL, choice TEXT NOT NULL, paykey_id TEXT NOT NULL, PRIMARY KEY (jti, choice)) WITHOUT ROWID;`

type Link = { choice: string; paykey_id: string }

function requestedOf(sandbox: Sandbox, claims: BridgeClaims): RequestedLink {
  const account = sandbox.accounts.numberOf(claims.account_id)
  if (account === undefined) throw unauthorized('The bridge token belongs to an account that does not exist.')
  const { customer_id, sandbox_outcome, processing_method, external_id } = claims
  return { account, customer_id, config: { sandbox_outcome, processing_method }, external_id }
}

const linksOf = ({ store }: Sandbox, { jti }: BridgeClaims): Link[] =>
  store.all<Link>('SELECT choice, paykey_id FROM bridge_links WHERE jti = ?', jti)

function requireUnused(sandbox: Sandbox, links: readonly Link[]): void {
  const linkedPaykey = links
    .map(({ paykey_id }) => sandbox.paykeys.get(paykey_id))
    .find((entry) => entry && entry.doc.status !== 'rejected')
  if (linkedPaykey) throw new Problem(409, '/conflict', 'Conflict', `A bank account was linked with this token: ${linkedPaykey.doc.label}.`)
}

/**
 * Throws if a token cannot link: 409 if it already did, or an error of `requireLinkable`. A rejected paykey does not use up the token: the
 * customer may choose another account.
 */
export function requireOpen(sandbox: Sandbox, claims: BridgeClaims): void {
  requireUnused(sandbox, linksOf(sandbox, claims))
  requireLinkable(sandbox, requestedOf(sandbox, claims))
}

/** A choice with the SHA-256 of its body: identical bytes are the same choice. */
type SentChoice = { choice: z.infer<typeof linkChoice>; bodySha256: string }

/**
 * Creates the paykey of a choice, or returns the one the same choice created before. One token creates one paykey that is not rejected.
 * Writes journal row and events like any other creation; must run in a transaction. Throws the 409 of `requireOpen` and the errors of
 * `newPaykey`.
 */
export function linkFromPage(sandbox: Sandbox, claims: BridgeClaims, { choice, bodySha256 }: SentChoice, now: number): PaykeyEntry {
  const links = linksOf(sandbox, claims)
  const previousLink = links.find((link) => link.choice === bodySha256)
  const linkedPaykey = previousLink && sandbox.paykeys.get(previousLink.paykey_id)
  if (linkedPaykey) return linkedPaykey
  requireUnused(sandbox, links)
  const requested = requestedOf(sandbox, claims)
  const { bank, source, config } = chosenBy(claims, choice)
  // A rejected paykey gets no reference, so that the next attempt can use it.
  const external_id = config.sandbox_outcome === 'rejected' ? null : requested.external_id
  const entry = newPaykey(sandbox, { ...requested, bank, source, config, external_id, metadata: {} }, now)
  sandbox.store.run('INSERT INTO bridge_links (jti, choice, paykey_id) VALUES (?, ?, ?)', claims.jti, bodySha256, entry.doc.id)
  const effect = { target_id: entry.doc.id, account_id: claims.account_id, from: '', to: entry.doc.status }
  sandbox.journal.write({ at: iso(now), operation: 'bridge.page', idempotencyKey: null, bodySha256 }, effect)
  return entry
}
