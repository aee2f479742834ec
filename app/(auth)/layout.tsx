import type { ReactNode } from 'react'
import { QueryProvider } from '@/lib/client/query/provider'

/** The pages before sign-in. Their query client is not that of any person. */
export default function AuthLayout({ children }: { children: ReactNode }) {
  return <QueryProvider person={null}>{children}</QueryProvider>
}
