'use client'

import dynamic from 'next/dynamic'
import type { ComponentType } from 'react'
import { RecordSkeleton } from '@/components/kits/record/record-skeleton'

/**
 * A form that comes with its schemas in a script of its own, after the page. Drawn in the browser only: it mints the key of its write, and the
 * server's would be another one.
 */
export const lateForm = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  dynamic(load, { ssr: false, loading: () => <RecordSkeleton noun="form" /> })
