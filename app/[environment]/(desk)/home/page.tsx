import type { Metadata } from 'next'
import type { PageProps } from '@/app/_pages/open-page'
import { CashFlowPanel, ReturnRatesPanel } from '@/components/home/figures'
import { Home } from '@/components/home/home'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { ChooseAccount } from '@/components/kits/record/choose-account'
import { findNextCutOff, heldPaymentCutOff, sameDayCutOffs } from '@/lib/domain/bank-time'
import { loadCashFlow, loadReturnRates } from '@/lib/features/home/server/home-figures'
import { catchReadError } from '@/lib/features/home/server/queue-read'
import { readQueues } from '@/lib/features/home/server/queues'
import { homePath } from '@/lib/routes'
import { addAccountsByIds } from '@/lib/server/http/account-choices'
import { loadPageContext } from '@/lib/server/http/page-context'

export const metadata: Metadata = { title: 'Home' }

export default async function HomePage({ params, searchParams }: PageProps) {
  const [{ environment }, search] = await Promise.all([params, searchParams])
  const context = await loadPageContext(environment, search, homePath(environment, search))
  if (
    context.denied !== null ||
    (context.needsAccount && context.hasAllAccounts && context.accounts.length === 0)
  ) {
    return <ChooseAccount context={context} path="/home" many="work" />
  }
  const now = Date.now()
  const [{ reads, held, readAt }, flow, rates] = await Promise.all([
    readQueues(context, now),
    catchReadError(() => loadCashFlow(context, now)),
    catchReadError(() => loadReturnRates(context, now)),
  ])
  const queueRows = Object.values(reads).flatMap((read) => (read.ok ? read.group.rows : []))
  const contextWithAccounts = await addAccountsByIds(
    context,
    queueRows.map(({ account }) => account ?? null),
  )
  return (
    <PageContextProvider context={contextWithAccounts}>
      <Home
        context={context}
        roles={context.needsAccount ? context.person.allRoles : context.person.roles}
        reads={reads}
        held={held}
        cutOffs={{
          held: findNextCutOff(now, [heldPaymentCutOff]),
          sameDay: findNextCutOff(now, sameDayCutOffs),
        }}
        readAt={readAt}
      >
        <div className="grid gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <CashFlowPanel read={flow} />
          <ReturnRatesPanel read={rates} mixed={context.account === null} />
        </div>
      </Home>
    </PageContextProvider>
  )
}
