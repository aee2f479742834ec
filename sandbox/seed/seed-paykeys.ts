import {
  type BankDetails,
  buildPaykey,
  paykeyLifetimeMs,
  storePaykey,
} from '@/sandbox/paykeys/new-paykey'
import type { Paykey, PaykeyConfig, Verification } from '@/sandbox/paykeys/paykey-schema'
import { blockingCodes, type PaykeyEntry } from '@/sandbox/paykeys/paykey-store'
import {
  hasHolderNames,
  makeVerification,
  toVerificationMove,
} from '@/sandbox/paykeys/verify-paykey'
import type { Sandbox } from '@/sandbox/sandbox'
import { toIsoTime } from '@/sandbox/store/clock'
import type { Random } from '@/sandbox/store/random'
import { banks } from './names'
import { makePaykeySpec, type SeededPaykeySpec } from './paykey-specs'
import type { SeededCustomer } from './seed-customers'
import type { SeedTime } from './seed-time'

/**
 * The fields of a seeded paykey that payments need. `n`, `owner` and `customer` are row numbers.
 * `owner` is the account, or null for the platform. `status` is `expired` for an expired paykey,
 * although its stored document has another status.
 */
export type SeededPaykey = {
  n: number
  owner: number | null
  customer: number
  status: string
  code: string | null
}

const paykeyCount = 600
const minuteMs = 60_000
const dayMs = 86_400_000

const config: PaykeyConfig = { sandbox_outcome: 'standard', processing_method: 'inline' }

/** Makes a token from seeded random values: the same seed gives the same tokens. */
const makePaykeyToken = (random: Random): string => `${random.hex(8)}.02.${random.hex(64)}`

const makeBankDetails = (random: Random): BankDetails => ({
  routing_number: random.pick(banks).routing,
  account_number: random.digits(9),
  account_type: random.pick(['checking', 'checking', 'savings']),
})

/** Only an aggregator can read a balance, so the balance is always `pending` for other sources. */
function makeBalance(random: Random, spec: SeededPaykeySpec, periodEnd: number): Paykey['balance'] {
  const updated_at = toIsoTime(periodEnd - random.int(5, 48 * 60) * minuteMs)
  const account_balance = random.int(1_000, 9_000_000)
  if (!hasHolderNames(spec.source))
    return { status: 'pending', account_balance: null, updated_at: null }
  if (spec.balance === 'failed') return { status: 'failed', account_balance: null, updated_at }
  return { status: spec.balance, account_balance, updated_at }
}

function pickStatusChangeTime(
  random: Random,
  { state }: SeededPaykeySpec,
  at: number,
  periodEnd: number,
): number {
  return state.status === 'blocked'
    ? Math.min(at + random.int(2, 60) * dayMs, periodEnd - random.int(1, 40) * 60 * minuteMs)
    : at + 3_000
}

type PaykeyCreation = { at: number; bank: BankDetails }
type PaykeySeedContext = {
  sandbox: Sandbox
  random: Random
  time: SeedTime
  bankAccounts: BankDetails[]
}

function makeSeededVerification(
  random: Random,
  time: SeedTime,
  origin: PaykeyCreation,
  customer: SeededCustomer,
  spec: SeededPaykeySpec,
): Verification {
  const names_on_account = hasHolderNames(spec.source) ? spec.names : []
  const verificationSubject = {
    source: spec.source,
    routing_number: origin.bank.routing_number,
    names_on_account,
    customer_name: customer.name,
  }
  const idAndTimes = {
    id: time.id(random, origin.at),
    created: origin.at,
    updated: origin.at + 3_000,
  }
  return makeVerification(verificationSubject, {
    ...idAndTimes,
    config: { ...config, sandbox_outcome: spec.verdict },
  })
}

function seedPaykey(
  { sandbox, random, time, bankAccounts }: PaykeySeedContext,
  index: number,
  customer: SeededCustomer,
  spec: SeededPaykeySpec,
): PaykeyEntry {
  const paykeyCreatedAt = time.start + 4_500_000 + index * 420_000
  const bank = bankAccounts[spec.sharesWith ?? -1] ?? makeBankDetails(random)
  bankAccounts.push(bank)
  const statusChangedAt = pickStatusChangeTime(random, spec, paykeyCreatedAt, time.end)
  const verification = makeSeededVerification(
    random,
    time,
    { at: paykeyCreatedAt, bank },
    customer,
    spec,
  )
  const { status, cause } = spec.state
  // The message of a paykey in review or rejected comes from its verification.
  const verificationCause =
    status === 'review' || status === 'rejected' ? toVerificationMove(verification).cause : {}
  const builtPaykey = buildPaykey({
    ...{
      id: time.id(random, paykeyCreatedAt),
      token: makePaykeyToken(random),
      customer_id: customer.id,
      source: spec.source,
      bank,
      config,
    },
    ...{
      status,
      cause: { ...cause, ...verificationCause },
      at: paykeyCreatedAt,
      changed: statusChangedAt,
      unblocked: spec.unblocked,
    },
    ...{ metadata: spec.metadata, external_id: `pk-${String(index).padStart(5, '0')}` },
    balance: makeBalance(random, spec, time.end),
    expires:
      spec.expiresIn === null
        ? paykeyCreatedAt + paykeyLifetimeMs
        : time.end + spec.expiresIn * dayMs,
  })
  const blockingCode = blockingCodes.find((known) => known === cause.code)
  if (blockingCode !== undefined) sandbox.paykeys.rememberBlock(bank, blockingCode, statusChangedAt)
  return storePaykey(sandbox, customer.owner, builtPaykey, verification)
}

/** Seeds 600 paykeys, at least one per customer. The first 50 are not active. */
export function seedPaykeys(
  sandbox: Sandbox,
  random: Random,
  time: SeedTime,
  customers: readonly SeededCustomer[],
): SeededPaykey[] {
  const seedContext = { sandbox, random, time, bankAccounts: [] }
  return Array.from({ length: paykeyCount }, (_, index) => {
    const paykeyCustomer = customers[index] ?? random.pick(customers)
    const type = sandbox.customers.at(paykeyCustomer.n)?.doc.type ?? 'individual'
    const spec = makePaykeySpec(random, index, { name: paykeyCustomer.name, type })
    const { n, doc } = seedPaykey(seedContext, index, paykeyCustomer, spec)
    const paykeyStatus = spec.expiresIn !== null && spec.expiresIn < 0 ? 'expired' : doc.status
    return {
      n,
      owner: paykeyCustomer.owner,
      customer: paykeyCustomer.n,
      status: paykeyStatus,
      code: doc.status_details.code,
    }
  })
}
