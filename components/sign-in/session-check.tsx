'use client'

import { type ReactNode, useEffect, useState } from 'react'
import { isSignedIn } from '@/lib/client/session'

/**
 * What a visit from another site sees first. The session cookie does not come with such a visit, so the server takes everybody for signed out; the browser
 * asks from here, where the cookie comes along, and goes on to `next`. Who is signed out is shown `children`.
 */
export function SessionCheck({ next, children }: { next: string; children: ReactNode }) {
  const [isOut, setIsOut] = useState(false)
  useEffect(() => {
    let isGone = false
    void isSignedIn().then((yes) => {
      if (isGone) return
      if (yes) location.replace(next)
      else setIsOut(true)
    })
    return () => {
      isGone = true
    }
  }, [next])
  if (isOut) return children
  return (
    <p role="status" aria-busy="true" className="text-base text-ink-2">
      Checking whether you are signed in…
    </p>
  )
}
