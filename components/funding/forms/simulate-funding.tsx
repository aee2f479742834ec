'use client'

import { lateForm } from '@/components/kits/form/late-form'
import { QueryProvider } from '@/lib/client/use-query'

const SimulateFundingForm = lateForm(() => import('./simulate-funding-form').then((module) => module.SimulateFundingForm))

export const SimulateFunding = () => (
  <QueryProvider>
    <SimulateFundingForm />
  </QueryProvider>
)
