import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { RecordPageProps } from '@/app/_pages/record-page'
import { accountLimitsPath } from '@/components/accounts/account-paths'
import { AccountTabs } from '@/components/accounts/account-tabs'
import { DeskProvider } from '@/components/kits/layout/desk-context'
import { ChooseAccount } from '@/components/kits/record/choose-account'
import { AccountLimits, type LimitsInitial } from '@/components/limits/account-limits'
import { openDesk } from '@/lib/server/desk'
import { loadLimitRequests, loadLimitUses } from '@/lib/server/limit-requests'
import { load } from '@/lib/server/read'

export const metadata: Metadata = { title: 'Limits' }

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

async function page(props: RecordPageProps) {
  const [{ environment, id: given }, search] = await Promise.all([props.params, props.searchParams])
  const id = given.toLowerCase()
  if (!uuid.test(id)) notFound()
  const account = `acct_${id}`
  // The account of the page is the scope of all that is read and written on it.
  const desk = await openDesk(environment, { ...search, account }, accountLimitsPath(environment, id))
  if (desk.needsAccount || desk.denied !== null) return <ChooseAccount desk={desk} path="/limits" many="limits" />
  const [settings, requests, uses] = await Promise.all([
    load(desk, 'account_settings.get', { id }),
    loadLimitRequests(desk),
    loadLimitUses(desk),
  ])
  const initial: LimitsInitial = {}
  if (settings.ok) initial.settings = { data: settings.data, meta: settings.meta, replayed: false }
  if (requests.ok) initial.requests = { data: requests.requests, meta: { request_id: '', read_at: requests.readAt }, replayed: false }
  if (uses) initial.uses = { data: uses.uses, meta: { request_id: '', read_at: uses.readAt }, replayed: false }
  return (
    <DeskProvider desk={desk}>
      <AccountLimits account={account} initial={initial} tabs={<AccountTabs id={id} current="limits" />} />
    </DeskProvider>
  )
}

export default page
