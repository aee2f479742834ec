'use client'

import { useQuery } from '@tanstack/react-query'
import { useDesk } from '@/components/kits/layout/desk-context'
import { accountName } from '@/lib/client/desk'
import { readAccountOf } from '@/lib/client/queries'
import { QueryProvider } from '@/lib/client/query-provider'
import type { Resource } from '@/lib/operations/define'

/** Looks for the account of one object; fetched with its script only when somebody asks. */
export const FindAccount = ({ resource, id }: { resource: Resource; id: string }) => (
  <QueryProvider>
    <Found resource={resource} id={id} />
  </QueryProvider>
)

function Found({ resource, id }: { resource: Resource; id: string }) {
  const desk = useDesk()
  const search = useQuery(readAccountOf(desk, resource, id))
  const account = search.data?.data.account
  if (account) return <bdi className="text-ink-2">{accountName(desk, account)}</bdi>
  if (search.isFetching) return <span className="text-ink-3">finding…</span>
  return (
    <span className="text-ink-3">
      not found{' '}
      <button type="button" className="relative z-1 rounded-sm px-1 text-accent hover:underline" onClick={() => void search.refetch()}>
        again
        <span className="sr-only">, look for the account of this row</span>
      </button>
    </span>
  )
}
