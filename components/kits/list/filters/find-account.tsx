'use client'

import { OutsideText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { accountName } from '@/lib/client/page-context'
import { readAccountOf } from '@/lib/client/queries'
import { QueryProvider, useQuery } from '@/lib/client/use-query'
import type { SearchableResource } from '@/lib/operations/desk.schema'

/** Looks for the account of one object; fetched with its script only when somebody asks. */
export const FindAccount = ({ resource, id }: { resource: SearchableResource; id: string }) => (
  <QueryProvider>
    <Found resource={resource} id={id} />
  </QueryProvider>
)

function Found({ resource, id }: { resource: SearchableResource; id: string }) {
  const context = usePageContext()
  const search = useQuery(readAccountOf(context, resource, id))
  const account = search.data?.data.account
  if (account) return <OutsideText className="text-ink-2">{accountName(context, account)}</OutsideText>
  if (search.isFetching) return <span className="text-ink-3">searching…</span>
  if (search.data?.data.complete) return <span className="text-ink-3">not in your accounts</span>
  return (
    <span className="text-ink-3">
      <button type="button" className="relative z-1 rounded-sm px-1 text-accent hover:underline" onClick={() => void search.refetch()}>
        {search.data ? 'search more accounts' : 'try again'}
        <span className="sr-only"> for the account of this row</span>
      </button>
    </span>
  )
}
