import 'server-only'
import { sql } from 'drizzle-orm'
import { maxExportRows, whyNotExport } from '@/lib/domain/export-rules'
import { AppError } from '@/lib/errors'
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
import { toUuidArraySql } from '@/lib/server/mirror/forget'
import { findMirrorList, type ListInput } from '@/lib/server/mirror/lists'
import { readMirrorIds, readMirrorPage } from '@/lib/server/mirror/query'
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

/** Returns the rows with these ids that still match, in the order of the ids. */
async function readRowsByIds<K extends MirrorListId>(
  actor: Actor,
  listId: K,
  input: Record<string, unknown>,
  place: ListScope,
  ids: readonly string[],
) {
  const paging = { page_number: 1, page_size: ids.length }
  const { data, accounts } = await readMirrorPage(
    actor,
    listId,
    { ...input, ...paging } as unknown as ListInput<K>,
    place,
    'none',
    [sql`${findMirrorList(listId).table.id} = any(${toUuidArraySql(ids)})`],
  )
  const items = data as readonly { id: string }[]
  const rowById = new Map(items.map((item, at) => [item.id, { item, account: accounts[at] }]))
  return ids.flatMap((id) => rowById.get(id) ?? [])
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
  const [{ meta }, nameOf] = await Promise.all([
    readMirrorList(actor, operation, { ...filters, page_number: 1, page_size: 1 }, scope),
    loadAccountNameLookup(actor, scope),
  ])
  // Rows that could not be parsed come first, because their position in the order is unknown.
  let unreadableRows = meta.unreadable_rows ?? []
  // The ids are read once, so that a row that moves in the order is written once.
  const matchCount = meta.total_items ?? 0
  const ids =
    matchCount > maxExportRows
      ? []
      : await readMirrorIds(actor, operation, filters as unknown as ListInput<MirrorListId>, scope)
  const promised = Math.max(ids.length, matchCount > maxExportRows ? matchCount : 0)
  let start = 0
  const readNextPage = async (): Promise<ExportPage> => {
    const pageIds = ids.slice(start, start + exportPageSize)
    start += exportPageSize
    const rows =
      pageIds.length === 0
        ? []
        : await readPageInOrder(() => readRowsByIds(actor, operation, filters, scope, pageIds))
    const accountByItem = new Map(rows.map(({ item, account }) => [item, account ?? null]))
    const unreadable = unreadableRows
    unreadableRows = []
    return {
      items: rows.map(({ item }) => item as never),
      unreadable,
      accountOf: (item) => (isOfPlatform ? platformOwner : (accountByItem.get(item) ?? null)),
      isFull: start < ids.length,
    }
  }
  return {
    many,
    columns,
    accountId: scope.accountId,
    nameOf,
    promised: promised + unreadableRows.length,
    nextPage: readNextPage,
  }
}
