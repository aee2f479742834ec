import type { ReactNode } from 'react'
import { QueryProvider } from '@/lib/client/query/provider'

/**
 * Without a person (`person={null}`), these pages have a query cache of their own, so they never
 * show data that a signed-in person loaded.
 */
export default function AuthLayout({ children }: { children: ReactNode }) {
  return <QueryProvider person={null}>{children}</QueryProvider>
}
