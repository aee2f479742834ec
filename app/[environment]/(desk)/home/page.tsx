import type { Metadata } from 'next'
import type { PageProps } from '@/app/_pages/own-page'
import { FiguresSkeleton, FlowPanel, flowTitle, RatesPanel, ratesTitle } from '@/components/home/figures'
import { Home } from '@/components/home/home'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { ChooseAccount } from '@/components/kits/record/choose-account'
import { Boundary } from '@/components/ui/boundary'
import { heldCutOff, nextCutOff, sameDayCutOffs } from '@/lib/domain/bank-time'
import { flowOf, ratesOf } from '@/lib/features/home/server/home-figures'
import { readWithin, rolesOver, startQueues } from '@/lib/features/home/server/queues'
import { homePath } from '@/lib/routes'
import { loadPageContext } from '@/lib/server/http/page-context'

export const metadata: Metadata = { title: 'Queue' }

/** How long the page waits for its queues (milliseconds), so that those that are empty take no room. The slow ones come after it. */
const timeoutMs = 700

export default async function HomePage({ params, searchParams }: PageProps) {
  const [{ environment }, search] = await Promise.all([params, searchParams])
  const context = await loadPageContext(environment, search, homePath(environment, search))
  if (context.denied !== null || (context.needsAccount && context.accounts.length === 0)) {
    return <ChooseAccount context={context} path="/home" many="work" />
  }
  const now = Date.now()
  const queues = startQueues(context, now)
  const flow = flowOf(context, now)
  const rates = ratesOf(context, now)
  const early = await readWithin(queues, timeoutMs)
  return (
    <PageContextProvider context={context}>
      <Home
        context={context}
        roles={await rolesOver(context)}
        reads={{ early: early.reads, all: queues.reads }}
        held={{ early: early.held, all: queues.held }}
        cutOffs={{ held: nextCutOff(now, [heldCutOff]), sameDay: nextCutOff(now, sameDayCutOffs) }}
        readAt={new Date(now).toISOString()}
      >
        <div className="grid gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <Boundary fallback={<FiguresSkeleton title={flowTitle} />}>
            <FlowPanel reading={flow} />
          </Boundary>
          <Boundary fallback={<FiguresSkeleton title={ratesTitle} />}>
            <RatesPanel reading={rates} mixed={context.account === null} />
          </Boundary>
        </div>
      </Home>
    </PageContextProvider>
  )
}
