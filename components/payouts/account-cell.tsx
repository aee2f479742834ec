'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import { accountName } from '@/lib/client/desk'
import { readAccountOf } from '@/lib/client/queries'

/** Whose payout it is. The service does not say: it is learnt, and where it is not known yet a person can have it looked for. */
export function AccountCell({ id, known }: { id: string; known: string | null }) {
  const desk = useDesk()
  const [asked, setAsked] = useState(false)
  const search = useQuery({ ...readAccountOf(desk, 'payouts', id), enabled: asked && known === null })
  const account = known ?? search.data?.data.account
  if (account) return <bdi className="text-ink-2">{accountName(desk, account)}</bdi>
  if (search.isFetching) return <span className="text-ink-3">finding…</span>
  const text = search.data ? 'not found' : search.error ? 'not found yet' : 'unknown'
  return (
    <span className="text-ink-3">
      {text}{' '}
      <button
        type="button"
        className="relative z-1 rounded-sm px-1 text-accent underline-offset-2 hover:underline"
        onClick={() => (asked ? void search.refetch() : setAsked(true))}
      >
        {asked ? 'again' : 'find'}
        <span className="sr-only"> the account of this payout</span>
      </button>
    </span>
  )
}
