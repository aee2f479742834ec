'use client'

import dynamic from 'next/dynamic'
import type { ComponentType } from 'react'
import { withStandIn } from '@/components/kits/layout/lazy-part'
import { RecordSkeleton } from '@/components/kits/layout/page-skeletons'

/**
 * A form that comes with its schemas in a script of its own, after the page. Drawn in the browser only: it mints the key of its write, and the
 * server's would be another one.
 */
export const lateForm = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  dynamic(withStandIn(load), { ssr: false, loading: () => <RecordSkeleton noun="form" /> })
