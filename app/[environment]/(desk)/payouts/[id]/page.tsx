import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { DeskProvider } from '@/components/kits/layout/desk-context'
import { ChooseAccount } from '@/components/payouts/choose-account'
import { PayoutPanel } from '@/components/payouts/payout-panel'
import { payoutPath } from '@/lib/routes'
import { knownAccountOf } from '@/lib/server/account-of'
import { actionsOn } from '@/lib/server/action-list'
import { openDesk } from '@/lib/server/desk'
import { load } from '@/lib/server/read'

export const metadata: Metadata = { title: 'Payout' }

type Props = {
  params: Promise<{ environment: string; id: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export default async function PayoutPage({ params, searchParams }: Props) {
  const [{ environment, id }, search] = await Promise.all([params, searchParams])
  const desk = await openDesk(environment, search, payoutPath(environment, id, search))
  if (!uuid.test(id)) notFound()
  if (desk.needsAccount || desk.denied !== null) return <ChooseAccount desk={desk} />
  const target = `payouts/${id.toLowerCase()}`
  const [payout, actions, account] = await Promise.all([
    load(desk, 'payouts.get', { id }),
    actionsOn(desk, target),
    desk.account ?? knownAccountOf(desk, target),
  ])
  return (
    <DeskProvider desk={desk}>
      <div className="relative -mx-4 -mb-12 h-[calc(100dvh-3.25rem)] overflow-y-auto lg:-mx-6">
        <PayoutPanel
          id={id.toLowerCase()}
          knownAccount={account}
          initial={payout.ok ? { data: payout.data, meta: payout.meta, replayed: false } : undefined}
          initialError={payout.ok ? undefined : { error: payout.error, requestId: payout.requestId }}
          initialActions={actions}
        />
      </div>
    </DeskProvider>
  )
}
