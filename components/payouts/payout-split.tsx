'use client'

import { lazy, type ReactNode, Suspense } from 'react'
import { cn } from '@/components/ui/cn'
import { useList } from './list-frame'
import { PayoutSkeleton } from './payout-skeleton'
import { useOpenRow } from './use-open-row'

const PayoutPanel = lazy(() => import('./payout-panel').then((module) => ({ default: module.PayoutPanel })))

/** The list and, when a row is open, its payout beside it: 36 to 64. Under 1024 px the payout stands in the list's place. */
export function PayoutSplit({ accounts, children }: { accounts: Readonly<Record<string, string>>; children: ReactNode }) {
  const { open, close } = useOpenRow()
  const { refresh } = useList()
  return (
    <div className="flex min-h-0 flex-1 border-line border-t">
      <div
        className={cn('@container relative min-w-0 flex-1 lg:overflow-y-auto', open && 'max-lg:hidden lg:min-w-[23.75rem] lg:flex-[36]')}
      >
        {children}
      </div>
      {open && (
        <div className="relative min-w-0 flex-1 border-line bg-bg lg:flex-[64] lg:overflow-y-auto lg:border-l">
          <Suspense fallback={<PayoutSkeleton />}>
            <PayoutPanel key={open} id={open} knownAccount={accounts[open] ?? null} onClose={close} onChanged={refresh} />
          </Suspense>
        </div>
      )}
    </div>
  )
}
