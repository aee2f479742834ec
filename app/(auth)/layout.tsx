import type { ReactNode } from 'react'
import { QueryProvider } from '@/lib/client/query/provider'

/**
 * Layout of the pages before sign-in. With `person={null}`, their query cache is separate from that
 * of any signed-in person.
 */
export default function AuthLayout({ children }: { children: ReactNode }) {
  return <QueryProvider person={null}>{children}</QueryProvider>
}
