import type { Metadata } from 'next'
import Link from 'next/link'
import { Suspense } from 'react'
import type { ListPageProps } from '@/app/_pages/list-page'
import { accountLimitsPath } from '@/components/accounts/account-paths'
import { EmptyState } from '@/components/kits/feedback/empty-state'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { DeskProvider } from '@/components/kits/layout/desk-context'
import { ChooseAccount } from '@/components/kits/record/choose-account'
import { OpenRequests } from '@/components/limits/open-requests'
import { LimitsOverview, OverviewSkeleton } from '@/components/limits/overview'
import { OverviewRow } from '@/components/limits/overview-row'
import { buttonVariants } from '@/components/ui/button-variants'
import { accountName } from '@/lib/client/desk'
import type { Desk } from '@/lib/operations/desk'
import { deskPath } from '@/lib/routes'
import { openDesk } from '@/lib/server/desk'
import { loadOverview, overviewSize } from '@/lib/server/limit-overview'
import { loadOpenRequests } from '@/lib/server/limit-requests'

export const metadata: Metadata = { title: 'Limits' }

const limitsOf = (desk: Desk, id: string) => accountLimitsPath(desk.environment, id.replace(/^acct_/, ''))

/** The open requests of the accounts in scope. */
async function Requests({ desk }: { desk: Desk }) {
  const read = await loadOpenRequests(desk)
  if (!read.ok) return <ErrorNotice what="The requests could not be read" error={read.error} requestId={read.requestId} />
  const inScope = read.requests.filter((request) => desk.account === null || request.account === desk.account)
  if (inScope.length === 0) return <p className="text-ink-2">None is open. A request begins on the page of an account’s limits.</p>
  const open = inScope.map((request) => ({ request, name: accountName(desk, request.account), href: limitsOf(desk, request.account) }))
  return <OpenRequests open={open} />
}

/** The accounts and what they have used; their payments are added up first, so this comes after the rest of the page. */
async function Accounts({ desk, page }: { desk: Desk; page: number }) {
  const read = await loadOverview(desk, page)
  if (!read.ok) return <ErrorNotice what="The accounts could not be read" error={read.error} requestId={read.requestId} />
  if (read.rows.length === 0) {
    return (
      <EmptyState title={page > 1 ? 'This page is past the end' : 'No account is active yet'} className="px-0">
        <p>Limits matter once an account is verified and moves money.</p>
      </EmptyState>
    )
  }
  const pages = Math.ceil(read.total / overviewSize)
  return (
    <>
      <ul className="grid gap-3">
        {read.rows.map((row) => (
          <OverviewRow key={row.id} line={{ ...row, href: limitsOf(desk, row.id) }} />
        ))}
      </ul>
      {pages > 1 && <Pager desk={desk} page={page} pages={pages} total={read.total} />}
    </>
  )
}

const Pager = ({ desk, page, pages, total }: { desk: Desk; page: number; pages: number; total: number }) => {
  const to = (number: number, label: string) => (
    <Link
      href={deskPath(desk.environment, '/limits', { page: number === 1 ? null : number })}
      className={buttonVariants({ size: 'small' })}
    >
      {label}
    </Link>
  )
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center gap-3 text-ink-3 text-xs">
      {page > 1 && to(page - 1, 'Previous')}
      <span>
        Page {page} of {pages}, {total} accounts by name; on each page the tightest come first.
      </span>
      {page < pages && to(page + 1, 'Next')}
    </nav>
  )
}

async function page(props: ListPageProps) {
  const [{ environment }, search] = await Promise.all([props.params, props.searchParams])
  const desk = await openDesk(environment, search, deskPath(environment, '/limits'))
  if (desk.needsAccount || desk.denied !== null) return <ChooseAccount desk={desk} path="/limits" many="limits" />
  const asked = Number(search.page)
  const number = Number.isInteger(asked) && asked >= 1 ? asked : 1
  return (
    <DeskProvider desk={desk}>
      <LimitsOverview
        environment={environment}
        requests={<Requests desk={desk} />}
        accounts={
          <Suspense fallback={<OverviewSkeleton />}>
            <Accounts desk={desk} page={number} />
          </Suspense>
        }
      />
    </DeskProvider>
  )
}

export default page
