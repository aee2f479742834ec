import type { Metadata } from 'next'
import Link from 'next/link'
import { rowOf } from '@/components/deletions/deletion-row'
import { DeletionTable } from '@/components/deletions/deletion-table'
import { EmptyState } from '@/components/kits/feedback/empty-state'
import { DeskProvider } from '@/components/kits/layout/desk-context'
import { ChooseAccount } from '@/components/kits/record/choose-account'
import { buttonVariants } from '@/components/ui/button-variants'
import { TabCount, TabLinks, tabLinkClasses } from '@/components/ui/tab-links'
import { bankDay } from '@/lib/dates'
import type { DeletionView } from '@/lib/operations/deletion'
import type { Desk } from '@/lib/operations/desk'
import { deletionsPath, listPath } from '@/lib/routes'
import { requestsIn } from '@/lib/server/deletion-page'
import { openDesk } from '@/lib/server/desk'
import { load } from '@/lib/server/read'

export const metadata: Metadata = { title: 'Deletions' }

type Props = { params: Promise<{ environment: string }>; searchParams: Promise<Record<string, string | string[] | undefined>> }

const tabs = [
  { id: 'open', label: 'Open', state: 'requested', empty: 'No deletion is asked for.' },
  { id: 'deleted', label: 'Deleted', state: 'executed', empty: 'No customer was deleted yet.' },
  { id: 'withdrawn', label: 'Taken back', state: 'withdrawn', empty: 'No request was taken back.' },
  { id: 'all', label: 'All', state: null, empty: 'No deletion was ever asked for.' },
] as const satisfies readonly { id: string; label: string; state: DeletionView['state'] | null; empty: string }[]

const pageSize = 50

/** The names of customers that are still there; a page has at most fifty, and only open requests are asked about. */
async function namesOf(desk: Desk, requests: readonly DeletionView[]): Promise<ReadonlyMap<string, string>> {
  const open = requests.filter(({ state }) => state === 'requested').slice(0, 25)
  const reads = await Promise.all(open.map(({ customer_id, account }) => load({ ...desk, account }, 'customers.get', { id: customer_id })))
  return new Map(reads.flatMap((read) => (read.ok ? [[read.data.id, read.data.name] as const] : [])))
}

export default async function DeletionsPage({ params, searchParams }: Props) {
  const [{ environment }, search] = await Promise.all([params, searchParams])
  const desk = await openDesk(environment, search, deletionsPath(environment, search))
  if (desk.needsAccount || desk.denied !== null) {
    return <ChooseAccount desk={desk} path={deletionsPath('').slice(1)} many="deletions" />
  }
  const tab = tabs.find(({ id }) => id === search.tab) ?? tabs[0]
  const asked = Number(search.page)
  const page = Number.isInteger(asked) && asked > 0 && asked < 100_000 ? asked : 1
  const { deletions, counts } = await requestsIn(desk, { state: tab.state, page, size: pageSize })
  const names = await namesOf(desk, deletions)
  const rows = deletions.map((request) => rowOf(request, names.get(request.customer_id) ?? null, bankDay(Date.now())))
  const countOf = (state: DeletionView['state'] | null) =>
    state ? (counts[state] ?? 0) : Object.values(counts).reduce((total, each) => total + each, 0)
  const total = countOf(tab.state)
  return (
    <DeskProvider desk={desk}>
      <div className="-mx-4 lg:-mx-6">
        <div className="flex h-9 items-end gap-5 border-line border-b px-4 lg:px-6">
          <h1 className="h-9 shrink-0 pt-1.5 font-semibold text-lg">Deletions</h1>
          <Tabs desk={desk} current={tab.id} countOf={countOf} />
        </div>
        <p className="px-4 py-2.5 text-ink-3 text-xs lg:px-6">
          Customers somebody asked to delete. A deletion begins on the customer’s own page.{' '}
          <Link href={listPath(environment, 'customers', { account: desk.account, tab: 'all' })} className="text-accent underline">
            Find the customer
          </Link>
        </p>
        <div className="@container">
          {rows.length > 0 ? (
            <DeletionTable rows={rows} caption={`Deletions, ${tab.label.toLowerCase()}`} />
          ) : (
            <EmptyState className="lg:px-6" tone={tab.state === 'requested' ? 'good' : 'neutral'} title={tab.empty} />
          )}
        </div>
        <Pages desk={desk} tab={tab.id} page={page} total={total} />
      </div>
    </DeskProvider>
  )
}

type TabsProps = { desk: Desk; current: string; countOf: (state: DeletionView['state'] | null) => number }

const Tabs = ({ desk, current, countOf }: TabsProps) => (
  <TabLinks label="States" className="-mb-px min-w-0 border-b-0">
    {tabs.map(({ id, label, state }) => (
      <Link
        key={id}
        href={deletionsPath(desk.environment, { account: desk.account, tab: id === 'open' ? null : id })}
        aria-current={id === current ? 'page' : undefined}
        className={tabLinkClasses(id === current)}
      >
        {label}
        {countOf(state) > 0 && <TabCount value={countOf(state)} />}
      </Link>
    ))}
  </TabLinks>
)

function Pages({ desk, tab, page, total }: { desk: Desk; tab: string; page: number; total: number }) {
  const last = Math.max(1, Math.ceil(total / pageSize))
  if (last === 1) return null
  const href = (to: number) => deletionsPath(desk.environment, { account: desk.account, tab: tab === 'open' ? null : tab, page: to })
  return (
    <nav aria-label="Pages" className="flex items-center gap-3 px-4 py-3 lg:px-6">
      {page > 1 && (
        <Link href={href(page - 1)} className={buttonVariants({ size: 'small' })}>
          Newer
        </Link>
      )}
      <span className="text-ink-3 text-xs">
        Page {page} of {last}
      </span>
      {page < last && (
        <Link href={href(page + 1)} className={buttonVariants({ size: 'small' })}>
          Older
        </Link>
      )}
    </nav>
  )
}
