import 'server-only'
import { sql } from 'drizzle-orm'
import { whyNotExport } from '@/lib/domain/export-rules'
import { AppError } from '@/lib/errors'
import type { UnreadableRow } from '@/lib/operations/answer'
import { getOwnerRule } from '@/lib/operations/ownership'
import { type MirrorListId, toServiceResource } from '@/lib/operations/service-operations'
import { formatAccountId, type ScopedAccount } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { getIntegration } from '@/lib/server/config/integration'
import { loadAccountChoices } from '@/lib/server/http/account-choices'
import { authorizeCall } from '@/lib/server/http/authorize'
import { readPageInOrder } from '@/lib/server/http/downloads'
import { parseInput } from '@/lib/server/http/input'
import { readMirrorList } from '@/lib/server/http/operation-reads'
import { addScopeAccount } from '@/lib/server/http/visible-rows'
import { findMirrorList, type ListInput } from '@/lib/server/mirror/lists'
import { readMirrorPage } from '@/lib/server/mirror/query'
import type { ListScope } from '@/lib/server/mirror/row-visibility'
import {
  type ExportPage,
  type ExportRequest,
  type ExportSource,
  exportPageSize,
  platformOwner,
} from './csv'
import type { ServiceListDefinition } from './lists'

/** The lookup takes an id without `acct_`; an unknown name is an empty text. */
export async function loadAccountNameLookup(
  actor: Actor,
  scope: ScopedAccount,
): Promise<(accountId: string) => string> {
  const { accounts } = await loadAccountChoices(actor, scope)
  const nameByAccountId = new Map(accounts.map(({ id, name }) => [id, name]))
  return (accountId) => nameByAccountId.get(formatAccountId(accountId)) ?? ''
}

function requireExporter({ roles }: ScopedAccount): void {
  const whyForbidden = whyNotExport(roles)
  if (whyForbidden) throw new AppError('forbidden', whyForbidden)
}

/** The page starts after the id `after`, or at the first object if it is null. */
type PageStart = { after: string | null; size: number }

/** A page starts after an id, not at a row number, so rows that change do not shift it. */
async function readNextRows<K extends MirrorListId>(
  actor: Actor,
  listId: K,
  input: Record<string, unknown>,
  place: ListScope,
  { after, size }: PageStart,
) {
  const paging = { page_number: 1, page_size: size, sort_by: 'id', sort_order: 'asc' }
  const afterCondition = after === null ? [] : [sql`${findMirrorList(listId).table.id} > ${after}`]
  const { data, accounts } = await readMirrorPage(
    actor,
    listId,
    { ...input, ...paging } as unknown as ListInput<K>,
    place,
    'none',
    afterCondition,
  )
  return { items: data as readonly { id: string }[], accounts }
}

/** Throws `forbidden` and `invalid_input` like the list itself, and database errors. */
export async function openServiceList(
  { operation, many, columns, fixed }: ServiceListDefinition,
  exportRequest: ExportRequest,
): Promise<ExportSource> {
  const { actor, environment, account } = exportRequest
  const rawFilters = { ...exportRequest.filters, ...fixed }
  const scope = await authorizeCall(actor, {
    environment,
    operation,
    account,
    target: null,
    fields: async () => rawFilters,
  })
  requireExporter(scope)
  const filters = parseInput(operation, {
    ...addScopeAccount(operation, rawFilters, scope),
    ...fixed,
  })
  const isOfPlatform =
    getOwnerRule(toServiceResource(operation), getIntegration(environment)) === 'platform'
  let lastId: string | null = null
  let pendingUnreadableRows: readonly UnreadableRow[] | null = null
  const readNextPage = async (): Promise<ExportPage> => {
    const { items, accounts } = await readPageInOrder(() =>
      readNextRows(actor, operation, filters, scope, { after: lastId, size: exportPageSize }),
    )
    lastId = items.at(-1)?.id ?? lastId
    const accountByItem = new Map(items.map((item, at) => [item, accounts[at] ?? null]))
    // Rows that could not be parsed come first, because their position in the order is unknown.
    const unreadableRows = pendingUnreadableRows ?? []
    pendingUnreadableRows = []
    return {
      items: items as readonly never[],
      unreadable: unreadableRows,
      accountOf: (item) => (isOfPlatform ? platformOwner : (accountByItem.get(item) ?? null)),
      isFull: items.length === exportPageSize,
    }
  }
  const [{ meta }, nameOf] = await Promise.all([
    readMirrorList(actor, operation, { ...filters, page_number: 1, page_size: 1 }, scope),
    loadAccountNameLookup(actor, scope),
  ])
  pendingUnreadableRows = meta.unreadable_rows ?? []
  return {
    many,
    columns,
    accountId: scope.accountId,
    nameOf,
    promised: (meta.total_items ?? 0) + pendingUnreadableRows.length,
    nextPage: readNextPage,
  }
}
