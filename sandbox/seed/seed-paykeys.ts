import { type BankDetails, buildPaykey, paykeyLifetime, storePaykey } from '@/sandbox/paykeys/build-paykey'
import { knowsHolder, makeVerification } from '@/sandbox/paykeys/make-verification'
import type { Paykey, PaykeyConfig, Verification } from '@/sandbox/paykeys/paykey-schema'
import { blockingCodes, type PaykeyEntry } from '@/sandbox/paykeys/paykey-store'
import { moveAfter } from '@/sandbox/paykeys/verify-paykey'
import type { Sandbox } from '@/sandbox/sandbox'
import { iso } from '@/sandbox/store/clock'
import type { Random } from '@/sandbox/store/random'
import { banks } from './names'
import { type PaykeyStory, storyOf } from './paykey-stories'
import type { SeededCustomer } from './seed-customers'
import type { SeedTime } from './seed-time'

/**
 * The fields of a seeded paykey that payments need; numbers are row numbers. `status` is `expired` after expiry, whatever the document
 * contains.
 */
export type SeededPaykey = { n: number; account: number; customer: number; status: string; code: string | null }

const paykeyCount = 600
const minute = 60_000
const day = 86_400_000

const config: PaykeyConfig = { sandbox_outcome: 'standard', processing_method: 'inline' }

/** Returns a full token from the seed, so that the same seed always gives the same token. */
const makeToken = (random: Random): string => `${random.hex(8)}.02.${random.hex(64)}`

const makeBank = (random: Random): BankDetails => ({
  routing_number: random.pick(banks).routing,
  account_number: random.digits(9),
  account_type: random.pick(['checking', 'checking', 'savings']),
})

/** Bank details alone allow no balance read. An aggregator read the balance within the last two days, or failed. */
function balanceOf(random: Random, story: PaykeyStory, end: number): Paykey['balance'] {
  const updated_at = iso(end - random.int(5, 48 * 60) * minute)
  const account_balance = random.int(1_000, 9_000_000)
  if (!knowsHolder(story.source)) return { status: 'pending', account_balance: null, updated_at: null }
  if (story.balance === 'failed') return { status: 'failed', account_balance: null, updated_at }
  return { status: story.balance, account_balance, updated_at }
}

/** Returns the time of the last change: some days after the link for a block, otherwise at the verification. */
function changedAt(random: Random, { state }: PaykeyStory, at: number, end: number): number {
  return state.status === 'blocked' ? Math.min(at + random.int(2, 60) * day, end - random.int(1, 40) * 60 * minute) : at + 3_000
}

type Born = { at: number; bank: BankDetails }
type Seeding = { sandbox: Sandbox; random: Random; time: SeedTime; bankAccounts: BankDetails[] }

function verificationFor(random: Random, time: SeedTime, born: Born, owner: SeededCustomer, story: PaykeyStory): Verification {
  const names_on_account = knowsHolder(story.source) ? story.names : []
  const subject = { source: story.source, routing_number: born.bank.routing_number, names_on_account, customer_name: owner.name }
  const times = { id: time.id(random, born.at), created: born.at, updated: born.at + 3_000 }
  return makeVerification(subject, { ...times, config: { ...config, sandbox_outcome: story.verdict } })
}

function seedOne({ sandbox, random, time, bankAccounts }: Seeding, index: number, owner: SeededCustomer, story: PaykeyStory): PaykeyEntry {
  const at = time.start + 4_500_000 + index * 420_000
  const bank = bankAccounts[story.sharesWith ?? -1] ?? makeBank(random)
  bankAccounts.push(bank)
  const changed = changedAt(random, story, at, time.end)
  const verification = verificationFor(random, time, { at, bank }, owner, story)
  const { status, cause } = story.state
  // A verification that was not accepted has its own text.
  const findingCause = status === 'review' || status === 'rejected' ? moveAfter(verification).cause : {}
  const built = buildPaykey({
    ...{ id: time.id(random, at), token: makeToken(random), customer_id: owner.id, source: story.source, bank, config },
    ...{ status, cause: { ...cause, ...findingCause }, at, changed, unblocked: story.unblocked },
    ...{ metadata: story.metadata, external_id: `pk-${String(index).padStart(5, '0')}` },
    balance: balanceOf(random, story, time.end),
    expires: story.expiresIn === null ? at + paykeyLifetime : time.end + story.expiresIn * day,
  })
  const code = blockingCodes.find((known) => known === cause.code)
  if (code !== undefined) sandbox.paykeys.rememberBlock(bank, code, changed)
  return storePaykey(sandbox, owner.account, built, verification)
}

/** Seeds 600 paykeys: one per customer, and more for some. Returns them for the payments. The first ones need attention, see `storyOf`. */
export function seedPaykeys(sandbox: Sandbox, random: Random, time: SeedTime, customers: readonly SeededCustomer[]): SeededPaykey[] {
  const seeding = { sandbox, random, time, bankAccounts: [] }
  return Array.from({ length: paykeyCount }, (_, index) => {
    const owner = customers[index] ?? random.pick(customers)
    const type = sandbox.customers.at(owner.n)?.doc.type ?? 'individual'
    const story = storyOf(random, index, { name: owner.name, type })
    const { n, doc } = seedOne(seeding, index, owner, story)
    const status = story.expiresIn !== null && story.expiresIn < 0 ? 'expired' : doc.status
    return { n, account: owner.account, customer: owner.n, status, code: doc.status_details.code }
  })
}
