'use client'

import dynamic from 'next/dynamic'
import type { EditCustomerProps } from '@/components/customers/forms/edit-customer-form'
import { FormSkeleton } from '@/components/kits/layout/page-skeletons'

// Loaded lazily, because the schemas come with the forms. Rendered in the browser only: a form creates an idempotency key, and the server
// would create a different one.
const NewForm = dynamic(() => import('@/components/customers/forms/new-customer-form').then((module) => module.NewCustomerForm), {
  ssr: false,
  loading: FormSkeleton,
})
const EditForm = dynamic(() => import('@/components/customers/forms/edit-customer-form').then((module) => module.EditCustomerForm), {
  ssr: false,
  loading: FormSkeleton,
})

export const NewCustomer = () => <NewForm />

export const EditCustomer = (props: EditCustomerProps) => <EditForm {...props} />
