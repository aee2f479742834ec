import type { ComponentProps, ComponentType, ReactNode } from 'react'
import { DeskProvider } from '@/components/kits/layout/desk-context'
import { List, type ListRead, type ListRow, type TableProps } from '@/components/kits/list/list'
import type { ListSpec, ListTab, ListView } from '@/components/kits/list/list-spec'
import type { SplitProps } from '@/components/kits/list/list-split'
import { searchOf } from '@/components/kits/list/list-view'
import { viewOf } from '@/components/kits/list/list-view-of'
import { ChooseAccount } from '@/components/kits/record/choose-account'
import type { Resource } from '@/lib/operations/define'
import type { Desk } from '@/lib/operations/desk'
import type { Input, Output } from '@/lib/operations/registry'
import type { ReadId } from '@/lib/operations/rows'
import { listPath } from '@/lib/routes'
import { knownAccountsOf } from '@/lib/server/account-of'
import { openDesk } from '@/lib/server/desk'
import { load } from '@/lib/server/read'
import { ViewsBar } from './views-bar'

/** What Next gives a list's page. */
export type ListPageProps = {
  params: Promise<{ environment: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** Operations that answer a list. */
type ListId = { [K in ReadId]: Output<K> extends readonly { id: string }[] ? K : never }[ReadId]
type Item<K extends ListId> = Output<K>[number]

type ListPageSpec<K extends ListId, Row extends ListRow> = {
  spec: ListSpec<K>
  /** A row in words, made on the server, so that tables of words are not shipped with the list. */
  rowOf: (item: Item<K>, account: string | null, desk: Desk) => Row
  Table: ComponentType<TableProps<Row>>
  Split: ComponentType<SplitProps>
  /** The resource whose accounts are learnt; left out for kinds that name their account or have none. */
  learns?: (item: Item<K>) => `${Resource}/${string}`
  /** Teaches the index the accounts of a tab's rows before they are drawn. */
  sweep?: (desk: Desk, view: ListView) => Promise<void>
  /** Kinds that are listed only within one account. */
  perAccount?: boolean
  actions?: (desk: Desk, view: ListView, read: ListRead<Row>) => ReactNode
}

/** A list's whole page: opens the desk, reads the URL, reads the rows and counts the tabs, and draws them. */
export async function listPage<K extends ListId, Row extends ListRow>(props: ListPageProps, page: ListPageSpec<K, Row>) {
  const [{ environment }, search] = await Promise.all([props.params, props.searchParams])
  const { spec } = page
  const desk = await openDesk(environment, search, listPath(environment, spec.resource, search))
  if (desk.needsAccount || desk.denied !== null || (page.perAccount && desk.account === null)) {
    return <ChooseAccount desk={desk} path={listPath('', spec.resource).slice(1)} many={spec.many} />
  }
  const view = viewOf(spec, search)
  const reading = readRows(desk, view, page)
  const counts = Object.fromEntries(
    spec.tabs.map((tab) => [
      tab.id,
      tab.id === view.tab.id ? reading.then((read) => (read.ok ? read.total : null)) : countOf(desk, spec, view, tab),
    ]),
  )
  const read = await reading
  const list: ComponentProps<typeof List<Row>> = {
    desk,
    spec,
    view,
    read,
    counts,
    Table: page.Table,
    Split: page.Split,
    actions: page.actions?.(desk, view, read),
    beside: <ViewsBar desk={desk} list={spec.resource} />,
  }
  return (
    <DeskProvider desk={desk}>
      <List {...list} />
    </DeskProvider>
  )
}

async function countOf(desk: Desk, spec: ListSpec, view: ListView, tab: ListTab): Promise<number | null> {
  const counted = await load(desk, spec.operation, searchOf(spec, view, tab) as Input<ReadId>)
  return counted.ok ? (counted.meta.total_items ?? null) : null
}

/** The operation's own schema reads the texts of the URL; a wrong one comes back as an error that names its field. */
async function readRows<K extends ListId, Row extends ListRow>(
  desk: Desk,
  view: ListView,
  { spec, rowOf, learns, sweep }: ListPageSpec<K, Row>,
): Promise<ListRead<Row>> {
  const found = await load(desk, spec.operation, searchOf(spec, view) as Input<K>)
  if (!found.ok) return { ok: false, error: found.error, requestId: found.requestId }
  await sweep?.(desk, view)
  const items = found.data as Item<K>[]
  const known = desk.account || !learns ? {} : await knownAccountsOf(desk, items.map(learns))
  const rows = items.map((item) => rowOf(item, desk.account ?? (learns ? (known[learns(item)] ?? null) : null), desk))
  return { ok: true, rows, total: found.meta.total_items ?? rows.length, readAt: found.meta.read_at ?? '' }
}
