'use client'

import { lateForm } from '@/components/kits/form/late-form'
import { QueryProvider } from '@/lib/client/query-provider'

const SimulateFundingForm = lateForm(() => import('./simulate-funding-form').then((module) => module.SimulateFundingForm))

/** The page that simulates funding. */
export const SimulateFunding = () => (
  <QueryProvider>
    <SimulateFundingForm />
  </QueryProvider>
)
