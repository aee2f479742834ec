'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import { read } from '@/lib/client/queries'

/** A new verification that was asked for: running, there, or still not there when watching ended. Null where none was asked for. */
export type NewReview = 'running' | 'arrived' | 'late' | null

const every = 3000
const patience = 90_000

/**
 * Watches for the result of a verification that runs in the background. It is there once the evidence is of another verification than before;
 * after a minute and a half watching ends, because it may take as long as it likes, and the page says so.
 */
export function useNewReview(id: string): { state: NewReview; watch: () => void } {
  const desk = useDesk()
  const [since, setSince] = useState<{ reviewId: string | undefined; at: number } | null>(null)
  const [late, setLate] = useState(false)
  const options = read(desk, 'customers.review', { id })
  const watching = since !== null && !late
  const query = useQuery({ ...options, refetchInterval: watching ? every : false })
  const reviewId = query.data?.data.identity_details?.review_id
  const arrived = since !== null && reviewId !== since.reviewId
  useEffect(() => {
    if (since === null || arrived) return
    const timer = setTimeout(() => setLate(true), since.at + patience - Date.now())
    return () => clearTimeout(timer)
  }, [since, arrived])
  const watch = () => {
    setLate(false)
    setSince({ reviewId, at: Date.now() })
  }
  if (since === null) return { state: null, watch }
  if (arrived) return { state: 'arrived', watch }
  return { state: late ? 'late' : 'running', watch }
}
