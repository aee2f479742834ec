import 'server-only'
import { whyNoExport } from '@/lib/domain/export-rules'
import { AppError } from '@/lib/errors'
import { accountText, parseAccount, type ScopedAccount } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { accountChoices } from '@/lib/server/http/account-choices'
import { parseInput } from '@/lib/server/http/input'
import { permit } from '@/lib/server/http/permit'
import { readList } from '@/lib/server/http/prepare'
import { narrowed } from '@/lib/server/http/resolve-account'
import { type ExportRequest, type ExportSource, pageSize, type SourcePage } from './csv'
import type { ServiceList } from './lists'

/** Names the accounts a person sees, by bare id; empty where the name is not known. */
export async function namesIn(actor: Actor, scope: ScopedAccount): Promise<(accountId: string) => string> {
  const { accounts } = await accountChoices(actor, scope)
  const names = new Map(accounts.map(({ id, name }) => [id, name]))
  return (accountId) => names.get(accountText(accountId)) ?? ''
}

function requireExporter({ roles }: ScopedAccount): void {
  const why = whyNoExport(roles)
  if (why) throw new AppError('forbidden', why)
}

/** Opens a list of the service for a file. Throws `forbidden` and `invalid_input` as the list itself does, and what the store throws. */
export async function openServiceList({ operation, many, columns, fixed, sort }: ServiceList, asked: ExportRequest): Promise<ExportSource> {
  const { actor, environment, account } = asked
  const given = { ...asked.filters, ...fixed }
  const scope = await permit(actor, { environment, operation, account, target: null, fields: async () => given })
  requireExporter(scope)
  const filters = narrowed(operation, given, scope)
  const read = (page: number, size: number) => {
    const paging = { page_number: page, page_size: size, sort_by: sort, sort_order: 'asc' }
    return readList(actor, operation, parseInput(operation, { ...filters, ...fixed, ...paging }), scope)
  }
  const page = async (number: number): Promise<SourcePage> => {
    const { data, meta } = await read(number, pageSize)
    const items: readonly unknown[] = data
    const accounts = new Map(items.map((item, at) => [item, meta.accounts?.[at]]))
    const accountOf = (item: unknown) => {
      const known = accounts.get(item)
      return known ? parseAccount(known) : null
    }
    return { items: items as readonly never[], unreadable: meta.unreadable_rows ?? [], accountOf, isFull: items.length === pageSize }
  }
  const [{ meta }, nameOf] = await Promise.all([read(1, 1), namesIn(actor, scope)])
  return {
    many,
    columns,
    accountId: scope.accountId,
    nameOf,
    promised: (meta.total_items ?? 0) + (meta.unreadable_rows?.length ?? 0),
    page,
  }
}
