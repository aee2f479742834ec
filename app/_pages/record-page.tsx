import { notFound } from 'next/navigation'
import type { ComponentType } from 'react'
import { DeskProvider } from '@/components/kits/layout/desk-context'
import { ChooseAccount } from '@/components/kits/record/choose-account'
import type { RecordNouns } from '@/components/kits/record/record-failed'
import type { PanelProps } from '@/components/kits/record/record-panel'
import type { GetId } from '@/components/kits/record/use-record'
import type { Input } from '@/lib/operations/registry'
import { resourceOf } from '@/lib/operations/rows'
import { listPath, recordPath } from '@/lib/routes'
import { knownAccountOf } from '@/lib/server/account-of'
import { actionsOn } from '@/lib/server/action-list'
import { openDesk } from '@/lib/server/desk'
import { load } from '@/lib/server/read'

/** What Next gives a record's page. */
export type RecordPageProps = {
  params: Promise<{ environment: string; id: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

type RecordPageSpec<K extends GetId> = { get: K; nouns: RecordNouns; Panel: ComponentType<PanelProps<K>> }

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A record's whole page: opens the desk, reads the record, its account and what Paydesk did with it, and draws its panel. */
export async function recordPage<K extends GetId>(props: RecordPageProps, { get, nouns, Panel }: RecordPageSpec<K>) {
  const [{ environment, id: given }, search] = await Promise.all([props.params, props.searchParams])
  const desk = await openDesk(environment, search, recordPath(environment, nouns.resource, given, search))
  if (!uuid.test(given)) notFound()
  if (desk.needsAccount || desk.denied !== null) {
    return <ChooseAccount desk={desk} path={listPath('', nouns.resource).slice(1)} many={nouns.many} />
  }
  const id = given.toLowerCase()
  const target = `${resourceOf(get)}/${id}`
  const [record, actions, account] = await Promise.all([
    load(desk, get, { id } as Input<K>),
    actionsOn(desk, target),
    desk.account ?? knownAccountOf(desk, target),
  ])
  const initial = record.ok ? { data: record.data, meta: record.meta, replayed: false } : undefined
  const initialError = record.ok ? undefined : { error: record.error, requestId: record.requestId }
  return (
    <DeskProvider desk={desk}>
      <div className="relative -mx-4 -mb-12 h-[calc(100dvh-3.25rem)] overflow-y-auto lg:-mx-6 print:h-auto print:overflow-visible">
        <Panel id={id} knownAccount={account} initial={initial} initialError={initialError} initialActions={actions} />
      </div>
    </DeskProvider>
  )
}
