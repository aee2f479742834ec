'use client'

import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { isSignedIn } from '@/lib/client/session'

/**
 * Shown first after a link from another site. The browser omits the session cookie from such a request, so the server treats the user as
 * signed out. This component checks the session again with the cookie and redirects to `next`. Renders `children` if the user is signed
 * out.
 */
export function SessionCheck({ next, children }: { next: string; children: ReactNode }) {
  const { data: isIn } = useQuery({ queryKey: ['session'], queryFn: isSignedIn, staleTime: 0, gcTime: 0 })
  useEffect(() => {
    if (isIn) location.replace(next)
  }, [isIn, next])
  if (isIn === false) return children
  return (
    <p role="status" aria-busy="true" className="text-base text-ink-2">
      Checking whether you are signed in…
    </p>
  )
}
