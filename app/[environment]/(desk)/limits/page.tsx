import type { Metadata } from 'next'
import type { PageProps } from '@/app/_pages/open-page'
import { accountLimitsPath } from '@/components/accounts/paths'
import { EmptyState } from '@/components/kits/feedback/empty-state'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { DimmedWhileLoading, ListFrame } from '@/components/kits/list/frame'
import { PageNavigation, PreviousNextLinks } from '@/components/kits/list/pager'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'
import { UnreadableRows } from '@/components/kits/unreadable/unreadable-rows'
import {
  AccountLimitUsageRow,
  LimitsOverview,
  OpenLimitRequestList,
  ProviderDashboardRequestList,
} from '@/components/limits/overview/overview'
import { getAccountName } from '@/lib/client/page-context'
import { loadOpenCapabilityRequests } from '@/lib/features/home/server/queue-accounts'
import { loadOverview, overviewPageSize } from '@/lib/features/limits/server/overview'
import { loadOpenLimitRequests } from '@/lib/features/limits/server/requests'
import type { PageContext } from '@/lib/operations/page-context'
import { deskPath } from '@/lib/routes'
import { listAccountsAwaitingLimits } from '@/lib/server/actions/waiting-views'
import { addAccountsByIds } from '@/lib/server/http/account-choices'
import { loadPageContext } from '@/lib/server/http/page-context'

export const metadata: Metadata = { title: 'Limits' }

const toLimitsPath = (context: PageContext, id: string) =>
  accountLimitsPath(context, id.replace(/^acct_/, ''))

/** Requests made in Paydesk come first, then all others that the service lists. */
async function OpenLimitRequests({ context }: { context: PageContext }) {
  const [read, service] = await Promise.all([
    loadOpenLimitRequests(context),
    loadOpenCapabilityRequests(context),
  ])
  const limitRequestsInScope = read.ok
    ? read.requests.filter(
        (request) => context.account === null || request.account === context.account,
      )
    : []
  const capabilityIds = new Set(
    limitRequestsInScope.flatMap(({ capability }) => capability?.id ?? []),
  )
  const providerDashboardRequests = service.ok
    ? service.requests.filter(({ id }) => !capabilityIds.has(id))
    : []
  const contextWithAccounts = await addAccountsByIds(
    context,
    limitRequestsInScope.map(({ account }) => account),
  )
  const openRequestRows = limitRequestsInScope.map((request) => ({
    request,
    name: getAccountName(contextWithAccounts, request.account),
    href: toLimitsPath(context, request.account),
  }))
  const areAllRequestsRead = read.ok && service.ok && service.unreadable.length === 0
  return (
    <>
      {!read.ok && (
        <ErrorNotice
          what="The requests from Paydesk could not be read"
          error={read.error}
          requestId={read.requestId}
        />
      )}
      {!service.ok && (
        <ErrorNotice
          what="The open requests at the service could not be read"
          error={service.error}
          requestId={service.requestId}
        />
      )}
      {openRequestRows.length > 0 && <OpenLimitRequestList open={openRequestRows} />}
      {providerDashboardRequests.length > 0 && (
        <ProviderDashboardRequestList
          others={providerDashboardRequests.map((each) => ({
            ...each,
            href: toLimitsPath(context, each.account),
          }))}
        />
      )}
      {service.ok && <UnreadableRows rows={service.unreadable} one="capability request" />}
      {service.ok && service.total > service.requests.length && (
        <p className="text-ink-3 text-xs">
          {`Shows the oldest ${service.requests.length.toLocaleString('en-US')} of ${service.total.toLocaleString('en-US')} open requests. Choose an account to see its own.`}
        </p>
      )}
      {areAllRequestsRead && openRequestRows.length + providerDashboardRequests.length === 0 && (
        <p className="text-ink-2">
          No open requests. Request a limit change on an account’s Limits page.
        </p>
      )}
    </>
  )
}

async function AccountLimitsOverview({ context, page }: { context: PageContext; page: number }) {
  const [overviewRead, awaitingAccounts] = await Promise.all([
    loadOverview(context, page),
    listAccountsAwaitingLimits(context.environment),
  ])
  if (!overviewRead.ok)
    return (
      <ErrorNotice
        what="The accounts could not be read"
        error={overviewRead.error}
        requestId={overviewRead.requestId}
      />
    )
  if (overviewRead.rows.length + overviewRead.unreadable.length === 0) {
    return (
      <EmptyState title={page > 1 ? 'This page is past the end' : 'No account is active yet'}>
        <p>Limits apply once an account is verified and moves money.</p>
      </EmptyState>
    )
  }
  const toPageHref = (number: number) =>
    deskPath(context, '/limits', { page: number === 1 ? null : number })
  const pageCount =
    overviewRead.total === null ? null : Math.ceil(overviewRead.total / overviewPageSize)
  return (
    <>
      <DimmedWhileLoading>
        <ul className="grid gap-3">
          {overviewRead.rows.map((row) => (
            <AccountLimitUsageRow
              key={row.id}
              line={{
                ...row,
                href: toLimitsPath(context, row.id),
                awaitsApproval: awaitingAccounts.has(row.account),
              }}
            />
          ))}
        </ul>
      </DimmedWhileLoading>
      <UnreadableRows rows={overviewRead.unreadable} one="account" />
      {(page > 1 || overviewRead.hasNext) && (
        <PageNavigation className="">
          <PreviousNextLinks
            page={page}
            pages={pageCount}
            hasNext={overviewRead.hasNext}
            hrefOf={toPageHref}
          />
          <span>
            {overviewRead.total === null ? 'Accounts' : `${overviewRead.total} accounts`} by name;
            on each page the highest usage comes first.
          </span>
        </PageNavigation>
      )}
    </>
  )
}

export default async function LimitsPage({ params, searchParams }: PageProps) {
  const [{ environment }, search] = await Promise.all([params, searchParams])
  const context = await loadPageContext(environment, search, deskPath(environment, '/limits'))
  if (mustChooseAccount(context))
    return <ChooseAccount context={context} path="/limits" many="limits" />
  const requestedPage = Number(search.page)
  const pageNumber = Number.isInteger(requestedPage) && requestedPage >= 1 ? requestedPage : 1
  return (
    <PageContextProvider context={context}>
      <LimitsOverview
        environment={environment}
        requests={<OpenLimitRequests context={context} />}
        accounts={
          <ListFrame>
            <AccountLimitsOverview context={context} page={pageNumber} />
          </ListFrame>
        }
      />
    </PageContextProvider>
  )
}
