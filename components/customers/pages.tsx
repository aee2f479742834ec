'use client'

import dynamic from 'next/dynamic'
import type { EditCustomerProps } from '@/components/customers/forms/edit-customer-form'
import { FormSkeleton } from '@/components/kits/layout/page-skeletons'

// The schemas come with the forms, not with the pages' first load. Drawn in the browser only: a form mints the key of its write, and the server's
// would be another one.
const NewForm = dynamic(() => import('@/components/customers/forms/new-customer-form').then((module) => module.NewCustomerForm), {
  ssr: false,
  loading: FormSkeleton,
})
const EditForm = dynamic(() => import('@/components/customers/forms/edit-customer-form').then((module) => module.EditCustomerForm), {
  ssr: false,
  loading: FormSkeleton,
})

/** The form of a new customer, with its cache of readings around it. */
export const NewCustomer = () => <NewForm />

export const EditCustomer = (props: EditCustomerProps) => <EditForm {...props} />
