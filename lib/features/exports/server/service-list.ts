import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { whyNoExport } from '@/lib/domain/export-rules'
import { AppError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import { isFull, totalOf } from '@/lib/operations/list-count'
import type { Input } from '@/lib/operations/registry'
import { type ReadId, serviceOperation } from '@/lib/operations/service-operations'
import { accountsGranted, accountText, inBackground, type ScopedAccount, scopeOf } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { accountChoices, accountIds } from '@/lib/server/http/account-choices'
import { parseInput } from '@/lib/server/http/input'
import { permit } from '@/lib/server/http/permit'
import { narrowed, ownAccounts } from '@/lib/server/http/resolve-account'
import { log } from '@/lib/server/log'
import { accountsOf } from '@/lib/server/mirror/account-index'
import { callsAtOnce, type Read, readService } from '@/lib/server/service/service-read'
import { type ExportRequest, type ExportSource, pageSize, type SourcePage } from './csv'
import type { ServiceList } from './lists'

/** Names the accounts a person sees, by bare id; empty where the name is not known. */
export async function namesIn(actor: Actor, scope: ScopedAccount): Promise<(accountId: string) => string> {
  const { accounts } = await accountChoices(actor, scope)
  const names = new Map(accounts.map(({ id, name }) => [id, name]))
  return (accountId) => names.get(accountText(accountId)) ?? ''
}

/** Lookups of one export at most: each is a call on the rate limit everybody shares. */
const mostLookups = 300

/** A page of the list as one account has it: the targets of its rows, and whether another page may follow. */
type OwnPage = { targets: readonly string[]; isFull: boolean }

type Finder = {
  actor: Actor
  environment: Environment
  /** The scope of the whole list, which spans all accounts. */
  scope: ScopedAccount
  /** Reads the same list in one account. */
  readIn: (scope: ScopedAccount, page: number, signal: AbortSignal) => Promise<OwnPage>
}

/** Where to look next: a page of an account. */
type Place = { account: string; page: number }

/**
 * Finds the accounts of rows that do not name theirs (bare ids by target): those known before, then, account by account, by reading the same list in
 * it. An account's page is read once for the whole file, so a file of n rows over a accounts costs about a + n/1000 calls. What is not found within
 * the bound, or in an account that cannot be read, stays unknown.
 */
function accountFinder({ actor, environment, scope, readIn }: Finder) {
  const seen = new Map<string, string>()
  let places: Place[] | undefined
  let lookups = 0

  const look = async ({ account, page }: Place, signal: AbortSignal): Promise<Place[]> => {
    try {
      const own = await readIn(scopeOf(actor, environment, account), page, signal)
      for (const target of own.targets) seen.set(target, account)
      return own.isFull ? [{ account, page: page + 1 }] : []
    } catch (error) {
      if (signal.aborted) throw error
      log.warn({ event: 'export.account_not_read', environment })
      return []
    }
  }

  return async (targets: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, string>> => {
    const indexed = await accountsOf(environment, targets)
    const isOpen = (target: string) => !indexed.has(target) && !seen.has(target)
    if (targets.some(isOpen)) places ??= (await accountIds(scope)).map((account) => ({ account, page: 1 }))
    while (places && places.length > 0 && lookups < mostLookups && targets.some(isOpen)) {
      const next = places.splice(0, callsAtOnce)
      lookups += next.length
      places.push(...(await Promise.all(next.map((place) => look(place, signal)))).flat())
    }
    return new Map(
      targets.flatMap((target) => {
        const account = indexed.get(target) ?? seen.get(target)
        return account ? [[target, account] as const] : []
      }),
    )
  }
}

/** How often a page that there is no room for is tried. */
const mostTries = 60

/** Reads one page of a file, behind people. A file that breaks off is worse than a slow one: where there is no room for the call, it waits for some. */
async function readPage<K extends ReadId>(operation: K, input: Input<K>, scope: ScopedAccount, signal: AbortSignal): Promise<Read<K>> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await readService(operation, input, inBackground(scope), signal)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'too_many' || tries === mostTries) throw error
      await wait((error.retryAfter ?? 1) * 1000, undefined, { signal })
    }
  }
}

type ListInput = Input<ServiceList['operation']>
type ListPage = Read<ServiceList['operation']>

const inputOf = ({ operation, sort, fixed }: ServiceList, filters: Record<string, unknown>, page: number, size: number): ListInput =>
  parseInput(operation, { ...filters, ...fixed, page_number: page, page_size: size, sort_by: sort, sort_order: 'asc' }) as ListInput

/** The page as the person may see it: limited to some accounts, they are told of those only. */
const shown = ({ operation }: ServiceList, { actor, environment }: ExportRequest, read: ListPage): ListPage =>
  ownAccounts(operation, read, actor, environment)

/** How many rows match. The service counts accounts that are not the person's as well; theirs are few enough to be counted by hand. */
async function countOf(list: ServiceList, asked: ExportRequest, scope: ScopedAccount, filters: Record<string, unknown>) {
  const hidesSome =
    serviceOperation(list.operation).accountFrom === 'answer' && accountsGranted(asked.actor.grants, asked.environment) !== null
  const size = hidesSome ? pageSize : 1
  const read = await readService(list.operation, inputOf(list, filters, 1, size), scope)
  if (!hidesSome) return totalOf(read, { size })
  return isFull(read, size) ? null : shown(list, asked, read).data.length
}

function requireExporter({ roles }: ScopedAccount): void {
  const why = whyNoExport(roles)
  if (why) throw new AppError('forbidden', why)
}

/** Opens a list of the service for a file. Throws `forbidden` and `invalid_input` as the list itself does, and what counting it throws. */
export async function openServiceList(list: ServiceList, asked: ExportRequest): Promise<ExportSource> {
  const { actor, environment, account } = asked
  const { operation, many, columns, fixed } = list
  const given = { ...asked.filters, ...fixed }
  const scope = await permit(actor, { environment, operation, account, target: null, fields: async () => given })
  requireExporter(scope)
  const filters = narrowed(operation, given, scope)
  const targetOf = list.accountTarget as ((item: unknown) => string | null) | undefined
  const targetsOf = (items: readonly unknown[]) => items.flatMap((item) => targetOf?.(item) ?? [])

  const read = (within: ScopedAccount, number: number, signal: AbortSignal) =>
    readPage(operation, inputOf(list, filters, number, pageSize), within, signal)
  const find = accountFinder({
    actor,
    environment,
    scope,
    readIn: async (within, number, signal) => {
      const own = await read(within, number, signal)
      return { targets: targetsOf(own.data), isFull: isFull(own, pageSize) }
    },
  })
  const page = async (number: number, signal: AbortSignal): Promise<SourcePage> => {
    const all = await read(scope, number, signal)
    const { data, meta } = shown(list, asked, all)
    const items: readonly unknown[] = data
    const found = scope.accountId || !targetOf ? null : await find(targetsOf(data), signal)
    const accountOf = (item: unknown) => scope.accountId ?? found?.get(targetOf?.(item) ?? '') ?? null
    return { items: items as readonly never[], unreadable: meta.unreadable_rows ?? [], accountOf, isFull: isFull(all, pageSize) }
  }
  const [promised, nameOf] = await Promise.all([countOf(list, asked, scope, filters), namesIn(actor, scope)])
  return { many, columns, accountId: scope.accountId, nameOf, promised, page }
}
