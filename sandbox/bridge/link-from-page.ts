import { createHash } from 'node:crypto'
import { z } from 'zod'
import { makeInvalidFieldProblem, makeUnauthorizedProblem, Problem } from '@/sandbox/http/problem'
import { makeEnumSchema } from '@/sandbox/http/read-body'
import { type RequestedLink, requireLinkable } from '@/sandbox/paykeys/linking-rules'
import { type BankDetails, createPaykey } from '@/sandbox/paykeys/new-paykey'
import type { PaykeyConfig, PaykeySource } from '@/sandbox/paykeys/paykey-schema'
import type { PaykeyEntry } from '@/sandbox/paykeys/paykey-store'
import type { Sandbox } from '@/sandbox/sandbox'
import { banks } from '@/sandbox/seed/names'
import { toIsoTime } from '@/sandbox/store/clock'
import { Random } from '@/sandbox/store/random'
import { bankAccountBodySchema } from './bridge-bodies'
import type { BridgeClaims } from './bridge-token'

const testAccountKinds = ['checking', 'savings', 'shared', 'stranger'] as const

export type TestAccountKind = (typeof testAccountKinds)[number]

type TestAccount = {
  account_type: BankDetails['account_type']
  outcome: PaykeyConfig['sandbox_outcome']
  name: string
  holder: string
}

export const testAccounts: Readonly<Record<TestAccountKind, TestAccount>> = {
  checking: {
    account_type: 'checking',
    outcome: 'standard',
    name: 'Checking',
    holder: 'In your name',
  },
  savings: {
    account_type: 'savings',
    outcome: 'standard',
    name: 'Savings',
    holder: 'In your name',
  },
  shared: {
    account_type: 'checking',
    outcome: 'review',
    name: 'Family checking',
    holder: 'In a relative’s name. Will go to review.',
  },
  stranger: {
    account_type: 'savings',
    outcome: 'rejected',
    name: 'Company savings',
    holder: 'In a stranger’s name. Will be rejected.',
  },
}

/**
 * Omits test accounts that force a review or rejection if they would have no effect: in production,
 * and if the token forces an outcome or skips verification.
 */
export function listOfferedAccountKinds({
  environment,
  sandbox_outcome,
  processing_method,
}: BridgeClaims): readonly TestAccountKind[] {
  const canForceOutcome =
    environment === 'sandbox' && sandbox_outcome === 'standard' && processing_method !== 'skip'
  return testAccountKinds.filter(
    (kind) => canForceOutcome || testAccounts[kind].outcome === 'standard',
  )
}

/**
 * The same arguments always return the same account, so that a test can link it twice or block it.
 */
export function makeTestAccount(
  customerId: string,
  routingNumber: string,
  kind: TestAccountKind,
): BankDetails {
  const digest = createHash('sha256').update(`${customerId} ${routingNumber} ${kind}`).digest()
  const account_number = new Random(digest.readUInt32BE()).digits(10)
  return {
    routing_number: routingNumber,
    account_number,
    account_type: testAccounts[kind].account_type,
  }
}

const { routing_number, account_number, account_type } = bankAccountBodySchema.shape

export const linkChoiceSchema = z.discriminatedUnion('way', [
  z.strictObject({
    way: z.literal('bank'),
    bank: z.enum(
      banks.map(({ routing }) => routing),
      'must be the routing number of a test bank',
    ),
    account: makeEnumSchema(testAccountKinds),
  }),
  z.strictObject({ way: z.literal('typed'), routing_number, account_number, account_type }),
])

type ChosenAccount = { bank: BankDetails; source: PaykeySource; config: PaykeyConfig }

/**
 * An outcome in the token replaces the outcome of the chosen account. Throws a 422 for an account
 * that is not offered.
 */
function resolveChosenAccount(
  claims: BridgeClaims,
  choice: z.infer<typeof linkChoiceSchema>,
): ChosenAccount {
  const { sandbox_outcome, processing_method } = claims
  if (choice.way === 'typed') {
    const { way, ...bank } = choice
    return { bank, source: 'bank_account', config: { sandbox_outcome, processing_method } }
  }
  if (!listOfferedAccountKinds(claims).includes(choice.account)) {
    throw makeInvalidFieldProblem(
      'This account cannot be chosen here.',
      'account',
      'is not offered with this token',
    )
  }
  const appliedOutcome =
    sandbox_outcome === 'standard' ? testAccounts[choice.account].outcome : sandbox_outcome
  return {
    bank: makeTestAccount(claims.customer_id, choice.bank, choice.account),
    source: 'mx',
    config: { sandbox_outcome: appliedOutcome, processing_method },
  }
}

/**
 * `jti` identifies the token, and `choice` is the hash of the request body. Sending the same choice
 * again returns the existing paykey.
 */
export const bridgeLinksTableSql = `
CREATE TABLE IF NOT EXISTS bridge_links (jti TEXT NOT NULL, choice TEXT NOT NULL, paykey_id TEXT NOT NULL, PRIMARY KEY (jti, choice)) WITHOUT ROWID;`

type BridgeLinkRow = { choice: string; paykey_id: string }

function toRequestedLink({ accounts }: Sandbox, claims: BridgeClaims): RequestedLink {
  const owner = claims.account_id === null ? null : accounts.numberOf(claims.account_id)
  if (owner === undefined)
    throw makeUnauthorizedProblem('The bridge token belongs to an account that does not exist.')
  const { customer_id, sandbox_outcome, processing_method, external_id } = claims
  return {
    owner,
    customer_id,
    config: { sandbox_outcome, processing_method },
    external_id,
  }
}

const listBridgeLinks = ({ store }: Sandbox, { jti }: BridgeClaims): BridgeLinkRow[] =>
  store.all<BridgeLinkRow>('SELECT choice, paykey_id FROM bridge_links WHERE jti = ?', jti)

function requireUnusedToken(sandbox: Sandbox, links: readonly BridgeLinkRow[]): void {
  const linkedPaykey = links
    .map(({ paykey_id }) => sandbox.paykeys.get(paykey_id))
    .find((entry) => entry && entry.doc.status !== 'rejected')
  if (linkedPaykey)
    throw new Problem(
      409,
      '/conflict',
      'Conflict',
      `A bank account was linked with this token: ${linkedPaykey.doc.label}.`,
    )
}

/** Throws a 409 for a token that linked an account. A rejected paykey leaves the token usable. */
export function requireUsableToken(sandbox: Sandbox, claims: BridgeClaims): void {
  requireUnusedToken(sandbox, listBridgeLinks(sandbox, claims))
  requireLinkable(sandbox, toRequestedLink(sandbox, claims))
}

type SentChoice = { choice: z.infer<typeof linkChoiceSchema>; bodySha256: string }

/**
 * Returns the existing paykey for a repeated choice. A token can create any number of rejected
 * paykeys, but only one other. Must run in a transaction. Throws the 409 of `requireUsableToken`
 * and the errors of `newPaykey`.
 */
export function linkBankAccountFromPage(
  sandbox: Sandbox,
  claims: BridgeClaims,
  { choice, bodySha256 }: SentChoice,
  now: number,
): PaykeyEntry {
  const bridgeLinkRows = listBridgeLinks(sandbox, claims)
  const previousLink = bridgeLinkRows.find((link) => link.choice === bodySha256)
  const linkedPaykey = previousLink && sandbox.paykeys.get(previousLink.paykey_id)
  if (linkedPaykey) return linkedPaykey
  requireUnusedToken(sandbox, bridgeLinkRows)
  const requestedLink = toRequestedLink(sandbox, claims)
  const { bank, source, config } = resolveChosenAccount(claims, choice)
  // `external_id` must be unique: a rejected paykey gets none, so that the next attempt can use it.
  const external_id = config.sandbox_outcome === 'rejected' ? null : requestedLink.external_id
  const paykeyEntry = createPaykey(
    sandbox,
    { ...requestedLink, bank, source, config, external_id, metadata: {} },
    now,
  )
  sandbox.store.run(
    'INSERT INTO bridge_links (jti, choice, paykey_id) VALUES (?, ?, ?)',
    claims.jti,
    bodySha256,
    paykeyEntry.doc.id,
  )
  const journalEffect = {
    target_id: paykeyEntry.doc.id,
    account_id: claims.account_id,
    from: '',
    to: paykeyEntry.doc.status,
  }
  sandbox.journal.write(
    { at: toIsoTime(now), operation: 'bridge.page', idempotencyKey: null, bodySha256 },
    journalEffect,
  )
  return paykeyEntry
}

/** The same token returns the same account, so that a test can link it twice or block it. */
export function makeBankAccountForToken(token: string): BankDetails {
  const random = new Random(createHash('sha256').update(token).digest().readUInt32BE())
  const { routing } = random.pick(banks)
  return {
    routing_number: routing,
    account_number: String(random.int(100_000_000, 999_999_999)),
    account_type: random.chance(0.8) ? 'checking' : 'savings',
  }
}
