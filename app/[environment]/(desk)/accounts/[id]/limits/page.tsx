import type { Metadata } from 'next'
import { type ObjectPageProps, openAccountPage } from '@/app/_pages/own-page'
import { scopeOf } from '@/components/accounts/paths'
import { AccountTabs } from '@/components/accounts/record/tabs'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'
import { AccountLimits, type LimitsInitial } from '@/components/limits/request/account-limits'
import { loadLimitRequests, loadLimitUses } from '@/lib/features/limits/server/requests'
import type { PageContext } from '@/lib/operations/page-context'
import { load } from '@/lib/server/http/read'

export const metadata: Metadata = { title: 'Limits' }

/** The limits of an account, what is asked of them and what is used, as far as each could be read. */
async function loadLimits(context: PageContext, id: string): Promise<LimitsInitial> {
  const [settings, requests, uses] = await Promise.all([
    load(context, 'account_settings.get', { id }),
    loadLimitRequests(context),
    loadLimitUses(context),
  ])
  const initial: LimitsInitial = {}
  if (settings.ok) initial.settings = { data: settings.data, meta: settings.meta, replayed: false }
  if (requests.ok) initial.requests = { data: requests.requests, meta: { request_id: '', read_at: requests.readAt }, replayed: false }
  if (uses) initial.uses = { data: uses.uses, meta: { request_id: '', read_at: uses.readAt }, replayed: false }
  return initial
}

export default async function AccountLimitsPage(props: ObjectPageProps) {
  const { context, id } = await openAccountPage(props, '/limits')
  if (mustChooseAccount(context)) return <ChooseAccount context={context} path="/limits" many="limits" />
  const limits = await loadLimits(context, id)
  return (
    <PageContextProvider context={context}>
      <AccountLimits account={scopeOf(id)} initial={limits} tabs={<AccountTabs id={id} current="limits" />} />
    </PageContextProvider>
  )
}
