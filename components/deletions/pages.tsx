'use client'

import { lazy } from 'react'
import { RecordSkeleton } from '@/components/kits/layout/page-skeletons'
import { Boundary } from '@/components/ui/boundary'
import type { DeletionContentProps } from './record/panel'

// Lazy: its forms import the validation schemas, which would enlarge the page's first script.
const DeletionContent = lazy(() =>
  import('./record/panel').then((module) => ({ default: module.DeletionContent })),
)

export const DeleteCustomerContent = (props: DeletionContentProps) => (
  <Boundary fallback={<RecordSkeleton noun="customer" />}>
    <DeletionContent {...props} />
  </Boundary>
)
