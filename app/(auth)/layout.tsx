import type { ReactNode } from 'react'
import { QueryProvider } from '@/lib/client/query/provider'

/** Pages before sign-in. Their query client holds no user's data. */
export default function AuthLayout({ children }: { children: ReactNode }) {
  return <QueryProvider person={null}>{children}</QueryProvider>
}
