'use client'

import { useQuery } from '@tanstack/react-query'
import { useDesk } from '@/components/kits/layout/desk-context'
import { useList } from '@/components/kits/list/list-frame'
import { readRequests } from '@/lib/client/queries'
import { QueryProvider } from '@/lib/client/query-provider'
import type { CallFilter } from '@/lib/operations/activity'

const lookEvery = 30_000

type NewerLineProps = { filter: CallFilter /** The newest call that is shown, or when there was none. */; after: string }

/** Says that there are newer calls, beside the count: rows that jump in by themselves are rows somebody was about to press. */
export const NewerLine = (props: NewerLineProps) => (
  <QueryProvider>
    <Newer {...props} />
  </QueryProvider>
)

function Newer({ filter, after }: NewerLineProps) {
  const { environment, account } = useDesk()
  const { refresh } = useList()
  const asked = { ...filter, after, page_size: 1, ...(account ? { account } : {}) }
  const looking = { refetchInterval: lookEvery, staleTime: lookEvery, initialData: { data: [], meta: { request_id: '' }, replayed: false } }
  const { data } = useQuery({ ...readRequests({ environment }, asked), ...looking })
  const count = data?.meta.total_items ?? 0
  return (
    <span role="status">
      {count > 0 && (
        <button type="button" onClick={refresh} className="rounded-sm px-1 text-accent hover:underline">
          {count.toLocaleString('en-US')} newer, show
        </button>
      )}
    </span>
  )
}
