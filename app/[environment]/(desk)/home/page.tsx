import type { Metadata } from 'next'
import { Suspense } from 'react'
import { FiguresSkeleton } from '@/components/home/figures-skeleton'
import { FlowPanel, flowTitle } from '@/components/home/flow-panel'
import { Home } from '@/components/home/home'
import { RatesPanel, ratesTitle } from '@/components/home/rates-panel'
import { DeskProvider } from '@/components/kits/layout/desk-context'
import { ChooseAccount } from '@/components/kits/record/choose-account'
import { nextCutOff } from '@/lib/domain/bank-time'
import { homePath } from '@/lib/routes'
import { openDesk } from '@/lib/server/desk'
import { flowOf, ratesOf } from '@/lib/server/home-figures'
import { readWithin, rolesOver, startWork } from '@/lib/server/work'

export const metadata: Metadata = { title: 'My work' }

type Props = {
  params: Promise<{ environment: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** How long the page waits for its queues (milliseconds), so that those that are empty take no room. The slow ones come after it. */
const patience = 700

export default async function HomePage({ params, searchParams }: Props) {
  const [{ environment }, search] = await Promise.all([params, searchParams])
  const desk = await openDesk(environment, search, homePath(environment, search))
  if (desk.denied !== null || (desk.needsAccount && desk.accounts.length === 0)) {
    return <ChooseAccount desk={desk} path="/home" many="work" />
  }
  const now = Date.now()
  const work = startWork(desk, now)
  const flow = flowOf(desk, now)
  const rates = ratesOf(desk, now)
  const early = await readWithin(work, patience)
  return (
    <DeskProvider desk={desk}>
      <Home
        desk={desk}
        roles={await rolesOver(desk)}
        reads={{ early: early.reads, all: work.reads }}
        held={{ early: early.held, all: work.held }}
        cutOff={nextCutOff(now)}
        readAt={new Date(now).toISOString()}
      >
        <div className="grid gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <Suspense fallback={<FiguresSkeleton title={flowTitle} />}>
            <FlowPanel reading={flow} />
          </Suspense>
          <Suspense fallback={<FiguresSkeleton title={ratesTitle} />}>
            <RatesPanel reading={rates} mixed={desk.account === null} />
          </Suspense>
        </div>
      </Home>
    </DeskProvider>
  )
}
