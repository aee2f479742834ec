'use client'

import { lazy } from 'react'
import { RecordSkeleton } from '@/components/kits/layout/page-skeletons'
import { Boundary } from '@/components/ui/boundary'
import type { DeletionProps } from './record/panel'

// Loaded lazily, because its forms import the validation schemas, which would enlarge the first
// script of the page.
const DeletionContent = lazy(() =>
  import('./record/panel').then((module) => ({ default: module.DeletionContent })),
)

export const DeleteCustomerContent = (props: DeletionProps) => (
  <Boundary fallback={<RecordSkeleton noun="customer" />}>
    <DeletionContent {...props} />
  </Boundary>
)
