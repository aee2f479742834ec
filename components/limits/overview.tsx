import type { ReactNode } from 'react'
import { PageHeader } from '@/components/kits/layout/page-header'
import { Skeleton } from '@/components/ui/skeleton'

type OverviewProps = { environment: string; requests: ReactNode; accounts: ReactNode }

/** The limits of the platform: what was asked for and is not done, then the accounts, those nearest to a limit first. */
export const LimitsOverview = ({ environment, requests, accounts }: OverviewProps) => (
  <div className="grid gap-4 pb-4">
    <PageHeader
      title="Limits"
      meta={
        <>
          USD, in <span className="font-semibold text-ink">{environment.toUpperCase()}</span>; what is used is our own estimate, at most a
          minute old
        </>
      }
    />
    <section aria-label="Open requests" className="grid gap-2">
      <h2 className="font-semibold text-base">Open requests</h2>
      {requests}
    </section>
    <section aria-label="Accounts" className="grid gap-2">
      <h2 className="font-semibold text-base">Accounts that work, nearest to a limit first</h2>
      {accounts}
    </section>
  </div>
)

const cards = Array.from({ length: 5 }, (_, at) => `card ${at}`)

/** The shape of the accounts while their payments are added up. */
export const OverviewSkeleton = () => (
  <div role="status" className="grid gap-3">
    <span className="sr-only">Adding up what is used…</span>
    {cards.map((card) => (
      <Skeleton key={card} className="h-40 max-sm:h-80" />
    ))}
  </div>
)
