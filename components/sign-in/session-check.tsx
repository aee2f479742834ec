'use client'

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isSignedIn } from '@/lib/client/session'

/**
 * Shown first when a person opens a link from another site. The browser omits the session cookie
 * from that request, so the server treats the person as signed out. This component checks the
 * session again, with the cookie. If there is a session, it redirects to `next`, otherwise it
 * renders `children`.
 */
export function SessionCheck({ next, children }: { next: string; children: ReactNode }) {
  const checkSession = async () => {
    const hasSession = await isSignedIn()
    if (hasSession) location.replace(next)
    return hasSession
  }
  const { data: isIn } = useQuery({
    queryKey: ['session'],
    queryFn: checkSession,
    staleTime: 0,
    gcTime: 0,
  })
  if (isIn === false) return children
  return (
    <p role="status" aria-busy="true" className="text-base text-ink-2">
      Checking whether you are signed in…
    </p>
  )
}
