'use client'

import { OutsideText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { type CallAnswer, call } from '@/lib/client/call'
import { accountName, type CallScope } from '@/lib/client/page-context'
import { keyOf } from '@/lib/client/queries'
import { QueryProvider, queryOptions, useQuery } from '@/lib/client/use-query'
import type { FoundAccount, SearchableResource } from '@/lib/operations/desk.schema'

/** Looks for the account of one object; fetched with its script only when somebody asks. */
export const FindAccount = ({ resource, id }: { resource: SearchableResource; id: string }) => (
  <QueryProvider>
    <Found resource={resource} id={id} />
  </QueryProvider>
)

/** Questions for one search at most, each for the next few accounts: a large platform has hundreds. */
const mostSteps = 4

/** Asks further where an answer is not `complete`; to ask again then looks into the next accounts. */
const readFurther = ({ environment }: CallScope, resource: SearchableResource, id: string) =>
  queryOptions<CallAnswer<FoundAccount>>({
    queryKey: [...keyOf({ environment, account: null }, 'account_of.find', { resource, id }), 'further'],
    queryFn: async ({ signal }) => {
      const ask = (searched?: number) => call('account_of.find', { resource, id, searched }, { environment, signal })
      let found = await ask()
      for (let step = 0; step < mostSteps && found.data.account === null && !found.data.complete; step += 1)
        found = await ask(found.data.searched)
      return found
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

function Found({ resource, id }: { resource: SearchableResource; id: string }) {
  const context = usePageContext()
  const search = useQuery(readFurther(context, resource, id))
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
