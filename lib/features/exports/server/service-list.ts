import 'server-only'
import { sql } from 'drizzle-orm'
import { whyNoExport } from '@/lib/domain/export-rules'
import { AppError } from '@/lib/errors'
import type { UnreadableRow } from '@/lib/operations/answer'
import type { MirrorListId } from '@/lib/operations/service-operations'
import { accountText, type ScopedAccount } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { loadAccountChoices } from '@/lib/server/http/account-choices'
import { authorizeCall } from '@/lib/server/http/authorize'
import { readPageInOrder } from '@/lib/server/http/downloads'
import { parseInput } from '@/lib/server/http/input'
import { readList } from '@/lib/server/http/operation-reads'
import { narrowToAccount } from '@/lib/server/http/visible-rows'
import { findMirrorList, type ListInput } from '@/lib/server/mirror/lists'
import { type ListScope, readMirrorPage } from '@/lib/server/mirror/query'
import { type ExportRequest, type ExportSource, pageSize, type SourcePage } from './csv'
import type { ServiceList } from './lists'

/** Returns a function that returns the name of an account by its id without `acct_`; empty if the name is unknown. */
export async function loadAccountNames(actor: Actor, scope: ScopedAccount): Promise<(accountId: string) => string> {
  const { accounts } = await loadAccountChoices(actor, scope)
  const names = new Map(accounts.map(({ id, name }) => [id, name]))
  return (accountId) => names.get(accountText(accountId)) ?? ''
}

function requireExporter({ roles }: ScopedAccount): void {
  const whyForbidden = whyNoExport(roles)
  if (whyForbidden) throw new AppError('forbidden', whyForbidden)
}

/** The start of a page: after the object with this id, sorted by id. */
type PageStart = { after: string | null; size: number }

/** Reads the next rows of a list. All pages together contain each row once, even if rows change between two reads. */
async function readNextRows<K extends MirrorListId>(
  actor: Actor,
  id: K,
  input: Record<string, unknown>,
  place: ListScope,
  { after, size }: PageStart,
) {
  const paging = { page_number: 1, page_size: size, sort_by: 'id', sort_order: 'asc' }
  const afterCondition = after === null ? [] : [sql`${findMirrorList(id).table.id} > ${after}`]
  const { data, accounts } = await readMirrorPage(
    actor,
    id,
    { ...input, ...paging } as unknown as ListInput<K>,
    place,
    'none',
    afterCondition,
  )
  return { items: data as readonly { id: string }[], accounts }
}

/** Opens a list of the service for export. Throws `forbidden` and `invalid_input` like the list itself, and errors of the store. */
export async function openServiceList(
  { operation, many, columns, fixed }: ServiceList,
  exportRequest: ExportRequest,
): Promise<ExportSource> {
  const { actor, environment, account } = exportRequest
  const rawFilters = { ...exportRequest.filters, ...fixed }
  const scope = await authorizeCall(actor, { environment, operation, account, target: null, fields: async () => rawFilters })
  requireExporter(scope)
  const filters = parseInput(operation, { ...narrowToAccount(operation, rawFilters, scope), ...fixed })
  let after: string | null = null
  let firstUnreadable: readonly UnreadableRow[] | null = null
  const nextPage = async (): Promise<SourcePage> => {
    const { items, accounts } = await readPageInOrder(() => readNextRows(actor, operation, filters, scope, { after, size: pageSize }))
    after = items.at(-1)?.id ?? after
    const accountByItem = new Map(items.map((item, at) => [item, accounts[at] ?? null]))
    // The file begins with the rows that could not be parsed, because their position in the order is unknown.
    const unreadable = firstUnreadable ?? []
    firstUnreadable = []
    return {
      items: items as readonly never[],
      unreadable,
      accountOf: (item) => accountByItem.get(item) ?? null,
      isFull: items.length === pageSize,
    }
  }
  const [{ meta }, nameOf] = await Promise.all([
    readList(actor, operation, { ...filters, page_number: 1, page_size: 1 }, scope),
    loadAccountNames(actor, scope),
  ])
  firstUnreadable = meta.unreadable_rows ?? []
  return { many, columns, accountId: scope.accountId, nameOf, promised: (meta.total_items ?? 0) + firstUnreadable.length, nextPage }
}
