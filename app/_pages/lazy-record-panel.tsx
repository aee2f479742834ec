'use client'

import { type ComponentType, lazy, Suspense } from 'react'
import { RecordSkeleton } from '@/components/kits/layout/page-skeletons'
import type { PanelProps } from '@/components/kits/record/record-panel'

const payments = () => import('@/components/payments/record/panels')

/** The panels of all kinds of records, loaded separately: a page shows one of them. */
const panels = {
  payouts: lazy(() => payments().then((module) => ({ default: module.PayoutPanel }))),
  charges: lazy(() => payments().then((module) => ({ default: module.ChargePanel }))),
  paykeys: lazy(() =>
    import('@/components/paykeys/record/panel').then((module) => ({ default: module.PaykeyPanel })),
  ),
  customers: lazy(() =>
    import('@/components/customers/record/panel').then((module) => ({
      default: module.CustomerPanel,
    })),
  ),
  accounts: lazy(() =>
    import('@/components/accounts/record/panel').then((module) => ({
      default: module.AccountPanel,
    })),
  ),
} as const satisfies Record<string, ComponentType<PanelProps>>

export type LazyPanelResource = keyof typeof panels

type LazyRecordPanelProps = PanelProps & { resource: LazyPanelResource }

export function LazyRecordPanel({ resource, ...props }: LazyRecordPanelProps) {
  const Panel = panels[resource]
  return (
    <Suspense fallback={<RecordSkeleton noun="record" />}>
      <Panel {...props} />
    </Suspense>
  )
}
