import type { ReactNode } from 'react'
import { QueryProvider } from '@/lib/client/query/provider'

/** `person={null}`: a query cache separate from that of every signed-in person. */
export default function AuthLayout({ children }: { children: ReactNode }) {
  return <QueryProvider person={null}>{children}</QueryProvider>
}
