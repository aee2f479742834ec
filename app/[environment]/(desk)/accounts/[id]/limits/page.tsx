import { type DehydratedState, HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { buildPrefetchedRead, dehydrateReads } from '@/app/_pages/dehydrate-reads'
import { type ObjectPageProps, prepareAccountPage } from '@/app/_pages/open-page'
import { addAccountPrefix } from '@/components/accounts/paths'
import { AccountTabs } from '@/components/accounts/record/tabs'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'
import { AccountLimits } from '@/components/limits/request/account-limits'
import { loadLimitRequests, loadLimitUses } from '@/lib/features/limits/server/requests'
import type { PageContext } from '@/lib/operations/page-context'
import { loadReadForPage } from '@/lib/server/http/read'

export const metadata: Metadata = { title: 'Limits' }

/** A failed read is omitted from the query cache; the browser then repeats it. */
async function loadDehydratedLimits(context: PageContext, id: string): Promise<DehydratedState> {
  const [settings, requests, uses] = await Promise.all([
    loadReadForPage(context, 'account_settings.get', { id }),
    loadLimitRequests(context),
    loadLimitUses(context),
  ])
  const scope = { environment: context.environment, account: addAccountPrefix(id) }
  const toAnswerMeta = ({ readAt }: { readAt: string }) => ({ request_id: '', read_at: readAt })
  return dehydrateReads([
    ...(settings.ok ? [buildPrefetchedRead(scope, 'account_settings.get', { id }, settings)] : []),
    ...(requests.ok
      ? [
          buildPrefetchedRead(
            scope,
            'limit_requests.list',
            {},
            { data: requests.requests, meta: toAnswerMeta(requests) },
          ),
        ]
      : []),
    ...(uses
      ? [
          buildPrefetchedRead(
            scope,
            'limit_requests.use',
            {},
            { data: uses.uses, meta: toAnswerMeta(uses) },
          ),
        ]
      : []),
  ])
}

export default async function AccountLimitsPage(props: ObjectPageProps) {
  const { context, id } = await prepareAccountPage(props, '/limits')
  if (mustChooseAccount(context))
    return <ChooseAccount context={context} path="/limits" many="limits" />
  const dehydratedLimits = await loadDehydratedLimits(context, id)
  return (
    <PageContextProvider context={context}>
      <HydrationBoundary state={dehydratedLimits}>
        <AccountLimits
          account={addAccountPrefix(id)}
          tabs={<AccountTabs id={id} current="limits" />}
        />
      </HydrationBoundary>
    </PageContextProvider>
  )
}
