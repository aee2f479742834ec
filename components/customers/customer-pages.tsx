'use client'

import dynamic from 'next/dynamic'
import { RecordSkeleton } from '@/components/kits/record/record-skeleton'
import { QueryProvider } from '@/lib/client/query-provider'
import type { EditCustomerProps } from './edit-customer-form'

const loading = () => <RecordSkeleton noun="form" />

// The schemas come with the forms, not with the pages' first load. Drawn in the browser only: a form mints the key of its write, and the server's
// would be another one.
const NewForm = dynamic(() => import('./new-customer-form').then((module) => module.NewCustomerForm), { ssr: false, loading })
const EditForm = dynamic(() => import('./edit-customer-form').then((module) => module.EditCustomerForm), { ssr: false, loading })

/** The form of a new customer, with its cache of readings around it. */
export const NewCustomer = () => (
  <QueryProvider>
    <NewForm />
  </QueryProvider>
)

/** The form of a customer that is there. */
export const EditCustomer = (props: EditCustomerProps) => (
  <QueryProvider>
    <EditForm {...props} />
  </QueryProvider>
)
