'use client'

import dynamic from 'next/dynamic'
import { FormSkeleton } from '@/components/kits/layout/page-skeletons'

// The forms load lazily, because they import the schemas. They are rendered in the browser only: a form creates an idempotency key, and the
// server would create a different one.
export const NewCustomer = dynamic(
  () => import('@/components/customers/forms/new-customer-form').then((module) => module.NewCustomerForm),
  {
    ssr: false,
    loading: FormSkeleton,
  },
)

export const EditCustomer = dynamic(
  () => import('@/components/customers/forms/edit-customer-form').then((module) => module.EditCustomerForm),
  {
    ssr: false,
    loading: FormSkeleton,
  },
)
