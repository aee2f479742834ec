'use client'

import { lazy, Suspense } from 'react'
import { RecordSkeleton } from '@/components/kits/record/record-skeleton'
import { QueryProvider } from '@/lib/client/query-provider'
import type { DeletionDeskProps } from './deletion-desk'

const DeletionDesk = lazy(() => import('./deletion-desk').then((module) => ({ default: module.DeletionDesk })))

/** The whole way of a deletion, with its cache of readings around it. */
export const DeleteCustomer = (props: DeletionDeskProps) => (
  <QueryProvider>
    <Suspense fallback={<RecordSkeleton noun="customer" />}>
      <DeletionDesk {...props} />
    </Suspense>
  </QueryProvider>
)
