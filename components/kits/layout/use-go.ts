'use client'

import { useRouter } from 'next/navigation'
import { useCallback } from 'react'

/** The address that was left last, and when (by the clock of `performance`): until the other page is there, it is still the address. */
export const left = { from: '', at: 0 }

/** Goes to a page of ours, and notes so for what would be read again meanwhile; `useRouter().push` alone does not. */
export function useGo(): (href: string) => void {
  const router = useRouter()
  return useCallback(
    (href) => {
      left.from = location.href
      left.at = performance.now()
      router.push(href)
    },
    [router],
  )
}
