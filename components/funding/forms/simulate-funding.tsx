'use client'

import dynamic from 'next/dynamic'
import { FormSkeleton } from '@/components/kits/layout/page-skeletons'

export const SimulateFundingView = dynamic(
  () => import('./simulate-funding-form').then((module) => module.SimulateFundingForm),
  {
    ssr: false,
    loading: FormSkeleton,
  },
)
