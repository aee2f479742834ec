'use client'

import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { isSignedIn } from '@/lib/client/session'

/**
 * What a visit from another site sees first. The session cookie does not come with such a visit, so the server takes everybody for signed out; the browser
 * asks from here, where the cookie comes along, and goes on to `next`. Who is signed out is shown `children`.
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
