import type { Metadata } from 'next'
import { DeskProvider } from '@/components/kits/layout/desk-context'
import { ChooseAccount } from '@/components/payouts/choose-account'
import { type ListRead, PayoutList } from '@/components/payouts/payout-list'
import { rowOf } from '@/components/payouts/payout-row'
import { type PayoutView, payoutTabs, searchOf } from '@/components/payouts/payout-view'
import { viewOf } from '@/components/payouts/payout-view-of'
import type { Desk } from '@/lib/operations/desk'
import type { Input } from '@/lib/operations/registry'
import { payoutsPath } from '@/lib/routes'
import { knownAccountsOf } from '@/lib/server/account-of'
import { learnHeld } from '@/lib/server/account-sweep'
import { openDesk } from '@/lib/server/desk'
import { load } from '@/lib/server/read'

export const metadata: Metadata = { title: 'Payouts' }

type Props = {
  params: Promise<{ environment: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function PayoutsPage({ params, searchParams }: Props) {
  const [{ environment }, search] = await Promise.all([params, searchParams])
  const desk = await openDesk(environment, search, payoutsPath(environment, search))
  if (desk.needsAccount || desk.denied !== null) return <ChooseAccount desk={desk} />
  const view = viewOf(search)
  const reading = listOf(desk, view)
  const counts = Object.fromEntries(
    payoutTabs.map((tab) => [
      tab.id,
      tab === view.tab ? reading.then((read) => (read.ok ? read.total : null)) : countOf(desk, view, tab.states),
    ]),
  )
  const read = await reading
  return (
    <DeskProvider desk={desk}>
      <PayoutList desk={desk} view={view} read={read} counts={counts} />
    </DeskProvider>
  )
}

/** The search's own schema reads the texts of the URL; a wrong one comes back as an error that names its field. */
const inputOf = (view: PayoutView, only?: { states: readonly string[] }) => searchOf(view, only) as Input<'payments.search'>

async function countOf(desk: Desk, view: PayoutView, states: readonly string[]): Promise<number | null> {
  const counted = await load(desk, 'payments.search', inputOf(view, { states }))
  return counted.ok ? (counted.meta.total_items ?? null) : null
}

async function listOf(desk: Desk, view: PayoutView): Promise<ListRead> {
  const found = await load(desk, 'payments.search', inputOf(view))
  if (!found.ok) return { ok: false, error: found.error, requestId: found.requestId }
  if (view.tab.id === 'hold') await learnHeld(desk)
  const targets = found.data.map((payment) => `payouts/${payment.id}`)
  const known = desk.account ? {} : await knownAccountsOf(desk, targets)
  const rows = found.data.map((payment) => rowOf(payment, desk.account ?? known[`payouts/${payment.id}`] ?? null))
  return { ok: true, rows, total: found.meta.total_items ?? rows.length, readAt: found.meta.read_at ?? '' }
}
