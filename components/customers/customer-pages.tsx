'use client'

import { lazy, Suspense } from 'react'
import { RecordSkeleton } from '@/components/kits/record/record-skeleton'
import { QueryProvider } from '@/lib/client/query-provider'
import type { EditCustomerProps } from './edit-customer-form'

// The schemas come with the forms, not with the pages' first load.
const NewForm = lazy(() => import('./new-customer-form').then((module) => ({ default: module.NewCustomerForm })))
const EditForm = lazy(() => import('./edit-customer-form').then((module) => ({ default: module.EditCustomerForm })))

/** The form of a new customer, with its cache of readings around it. */
export const NewCustomer = () => (
  <QueryProvider>
    <Suspense fallback={<RecordSkeleton noun="form" />}>
      <NewForm />
    </Suspense>
  </QueryProvider>
)

/** The form of a customer that is there. */
export const EditCustomer = (props: EditCustomerProps) => (
  <QueryProvider>
    <Suspense fallback={<RecordSkeleton noun="form" />}>
      <EditForm {...props} />
    </Suspense>
  </QueryProvider>
)
