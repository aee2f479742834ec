import 'server-only'
import { timeOf } from '@/lib/dates'
import { heldPaykey, heldWhole, monthFilter, needsMore, spentIn } from '@/lib/domain/holds/limit-checks'
import { type HeldFacts, type HeldLimits, type HeldPaykey, whyHeld } from '@/lib/domain/holds/why-held'
import { kindOf, type PaymentKind, resourceOfKind } from '@/lib/domain/payment-kind'
import { stateSince } from '@/lib/domain/status'
import { minorUnits } from '@/lib/money'
import type { Account } from '@/lib/operations/accounts.schema'
import type { PageContext } from '@/lib/operations/page-context'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import { parseAccount } from '@/lib/server/auth/scoped-account'
import { load } from '@/lib/server/http/read'
import { mapLimited } from '@/lib/server/service/service-read'
import { type HeldPage, keptBriefly } from './memory'
import { type Found, gather } from './queue-read'

/** Paykeys that wait for a decision are read whole, in so many pages of a thousand at most. */
const paykeyPages = 5
/** Months that are added up for one page, and objects that are read one by one, at most: each is a call on the shared rate budget. */
const mostMonths = 8
const mostSingles = 10

type Held = Found<PaymentSummary> & { facts: HeldFacts }

/** The page context within the account of a payment; the whole page's where that is not known. */
const within = ({ context, newest }: HeldPage, account: string | null): HeldPage =>
  account === null ? { context, newest } : { context: { ...context, account, needsAccount: false }, newest }

/** Every paykey in review or blocked, by its id; `whole` where none is missing, so that any other is neither. */
type Undecided = { states: Map<string, HeldPaykey>; whole: boolean }

const readUndecided = (page: HeldPage) =>
  keptBriefly('paykeys', page, async (): Promise<Undecided | null> => {
    const read = await gather(page.context, 'paykeys.list', { status: ['review', 'blocked'] }, paykeyPages)
    if (!read.ok) return null
    const states = new Map(read.found.map(({ row }) => [row.id, heldPaykey(row)]))
    return { states, whole: read.cut.length + read.unreadable.length === 0 && !read.atLeast }
  })

/** Not in review and not blocked: which of the other states it is in decides only where the service names the bank account as its reason. */
const decided: HeldPaykey = { status: 'decided' }

function paykeyIn(undecided: Undecided | null, id: string | undefined): HeldPaykey | undefined {
  const known = id ? undecided?.states.get(id) : undefined
  return known ?? (id && undecided?.whole ? decided : undefined)
}

type LimitsByAccount = Map<string, Account['settings']>

const readLimits = (page: HeldPage) =>
  keptBriefly('limits', page, async (): Promise<LimitsByAccount | null> => {
    const read = await load(page.context, 'accounts.list', { page_size: 1000 })
    return read.ok ? new Map(read.data.map(({ id, settings }) => [id, settings])) : null
  })

async function addLimits(page: HeldPage, held: readonly Held[]): Promise<Held[]> {
  if (!held.some(({ facts }) => needsMore(facts).limits)) return [...held]
  const limits = await readLimits(page)
  return held.map((each) => {
    const kind = kindOf(each.row.payment_type)
    const own: HeldLimits | undefined = each.account && kind ? limits?.get(parseAccount(each.account))?.[resourceOfKind[kind]] : undefined
    return { ...each, facts: { ...each.facts, limits: own } }
  })
}

/** The month of one account a payment of a kind is added up in. */
type Month = { account: string; kind: PaymentKind; date: string }

function monthOf({ row, account, facts }: Held): Month | null {
  const kind = kindOf(row.payment_type)
  if (!needsMore(facts).sums || !account || !kind || !row.payment_date) return null
  return { account, kind, date: row.payment_date }
}

const nameOf = ({ account, kind, date }: Month) => `${kind} ${account} ${date.slice(0, 7)}`

const readMonth = (page: HeldPage, month: Month) =>
  keptBriefly(nameOf(month), within(page, month.account), async () => {
    const read = await load(within(page, month.account).context, 'payments.search', monthFilter(month.kind, month.date))
    return read.ok ? read : null
  })

async function addSums(page: HeldPage, held: readonly Held[]): Promise<Held[]> {
  const months = new Map(held.flatMap((each) => monthOf(each) ?? []).map((month) => [nameOf(month), month]))
  const asked = [...months].slice(0, mostMonths)
  const reads = new Map(await mapLimited(asked, async ([name, month]) => [name, await readMonth(page, month)] as const))
  return held.map((each) => {
    const month = monthOf(each)
    const read = month && reads.get(nameOf(month))
    if (!read) return each
    const spent = spentIn(read, monthFilter(month.kind, month.date), each.row, page.context.amountUnit)
    return { ...each, facts: { ...each.facts, spent } }
  })
}

const readPaykey = (page: HeldPage, { row, account }: Held) =>
  keptBriefly(`paykey ${row.paykey_details?.id}`, page, async () => {
    const read = await load(within(page, account).context, 'paykeys.get', { id: row.paykey_details?.id ?? '' })
    return read.ok ? heldPaykey(read.data) : null
  })

const readWhole = (page: HeldPage, kind: PaymentKind, { row, account }: Held) =>
  keptBriefly(`${kind} ${row.id}`, page, async () => {
    const read = await load(within(page, account).context, `${resourceOfKind[kind]}.get`, { id: row.id })
    return read.ok ? heldWhole(read.data) : null
  })

/** What only an object of its own says; null where nothing of the kind would change the line. */
function singleOf(page: HeldPage, each: Held): (() => Promise<Partial<HeldFacts>>) | null {
  const needs = needsMore(each.facts)
  const kind = kindOf(each.row.payment_type)
  if (needs.paykey && each.row.paykey_details?.id) return async () => ({ paykey: (await readPaykey(page, each)) ?? each.facts.paykey })
  if (needs.whole && kind) return async () => (await readWhole(page, kind, each)) ?? {}
  return null
}

async function addSingles(page: HeldPage, held: readonly Held[]): Promise<Held[]> {
  const asked = held.filter((each) => singleOf(page, each) !== null).slice(0, mostSingles)
  const reads = new Map(await mapLimited(asked, async (each) => [each, await singleOf(page, each)?.()] as const))
  return held.map((each) => ({ ...each, facts: { ...each.facts, ...reads.get(each) } }))
}

/** In one sentence why a payment is held, as far as the search alone says it. */
const lineAlone = ({ status_details: details }: PaymentSummary): string => whyHeld({ details }).line

async function readLines(context: PageContext, found: readonly Found<PaymentSummary>[]): Promise<Map<string, string>> {
  const page = { context, newest: Math.max(...found.map(({ row }) => timeOf(stateSince(row)) ?? 0)) }
  const undecided = await readUndecided(page)
  const first = found.map(({ row, account }) => ({
    row,
    account,
    facts: {
      details: row.status_details,
      amount: minorUnits(row.amount, context.amountUnit),
      paykey: paykeyIn(undecided, row.paykey_details?.id),
    },
  }))
  const held = await addSingles(page, await addSums(page, await addLimits(page, first)))
  return new Map(held.map(({ row, facts }) => [row.id, whyHeld(facts).line]))
}

/**
 * Says of held payments why each is held, from the same facts as its own page: its bank account, the limits of its account and what was used of them. One
 * reading for the paykeys of the whole page and one for the limits; what has to be read one by one is bounded. Never throws: what could not be read is
 * not known, and the sentence says less.
 */
export async function heldLines(
  context: PageContext,
  found: readonly Found<PaymentSummary>[],
): Promise<(payment: PaymentSummary) => string> {
  const held = found.filter(({ row }) => row.status === 'on_hold')
  const lines = held.length === 0 ? undefined : await readLines(context, held).catch(() => undefined)
  return (payment) => lines?.get(payment.id) ?? lineAlone(payment)
}

/** The same for the rows of a list, which are made one after the other: those of one page are read about together. */
export function heldLinesOf(context: PageContext): (row: PaymentSummary, account: string | null) => Promise<string> {
  const page: Found<PaymentSummary>[] = []
  let reading: ReturnType<typeof heldLines> | undefined
  return (row, account) => {
    page.push({ row, account })
    reading ??= Promise.resolve().then(() => heldLines(context, page))
    return reading.then((lineOf) => lineOf(row))
  }
}
