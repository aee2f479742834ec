'use client'

import dynamic from 'next/dynamic'
import { FormSkeleton } from '@/components/kits/layout/page-skeletons'

const SimulateFundingForm = dynamic(() => import('./simulate-funding-form').then((module) => module.SimulateFundingForm), {
  ssr: false,
  loading: FormSkeleton,
})

export const SimulateFunding = () => <SimulateFundingForm />
