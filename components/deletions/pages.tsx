'use client'

import { lazy } from 'react'
import { RecordSkeleton } from '@/components/kits/layout/page-skeletons'
import { Boundary } from '@/components/ui/boundary'
import type { DeletionProps } from './record/panel'

// Loaded lazily, because the schemas come with the forms.
const Deletion = lazy(() => import('./record/panel').then((module) => ({ default: module.DeletionContent })))

export const DeleteCustomer = (props: DeletionProps) => (
  <Boundary fallback={<RecordSkeleton noun="customer" />}>
    <Deletion {...props} />
  </Boundary>
)
