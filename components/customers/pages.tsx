'use client'

import dynamic from 'next/dynamic'
import { FormSkeleton } from '@/components/kits/layout/page-skeletons'

// Lazy, so that the page's first script omits the schemas that the forms import. Browser only: each
// form creates an idempotency key, and the server would create a different one.
export const NewCustomerView = dynamic(
  () =>
    import('@/components/customers/forms/new-customer-form').then(
      (module) => module.NewCustomerForm,
    ),
  {
    ssr: false,
    loading: FormSkeleton,
  },
)

export const EditCustomerView = dynamic(
  () =>
    import('@/components/customers/forms/edit-customer-form').then(
      (module) => module.EditCustomerForm,
    ),
  {
    ssr: false,
    loading: FormSkeleton,
  },
)
