import type { ReactNode } from 'react'
import { QueryProvider } from '@/lib/client/query/provider'

/** Layout of the pages before sign-in. Their query client contains no data of a person. */
export default function AuthLayout({ children }: { children: ReactNode }) {
  return <QueryProvider person={null}>{children}</QueryProvider>
}
