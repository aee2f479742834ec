import 'server-only'
import { AppError, type WireError } from '@/lib/errors'
import type { ApiAnswer } from '@/lib/operations/answer'
import type { PageContext } from '@/lib/operations/page-context'
import type { Input, Output } from '@/lib/operations/registry'
import {
  getServiceOperation,
  isMirrored,
  isRecordGet,
  type MirrorListId,
  type ReadId,
} from '@/lib/operations/service-operations'
import { type RefusalContext, recordRefusal } from '@/lib/server/audit/refusals'
import {
  getGrantedAccounts,
  parseAccountId,
  requireRole,
  requireScope,
  type ScopedAccount,
  tryParseAccountId,
} from '@/lib/server/auth/scoped-account'
import { getCurrentActor } from '@/lib/server/auth/session'
import type { Actor } from '@/lib/server/auth/session-rows'
import { getErrorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'
import type { Conditions } from '@/lib/server/mirror/conditions'
import type { ListInput } from '@/lib/server/mirror/lists'
import { readMirrorRows } from '@/lib/server/mirror/query'
import type { ListScope } from '@/lib/server/mirror/row-visibility'
import { type GroupedPaymentSum, type SumGroupKey, sumPayments } from '@/lib/server/mirror/sums'
import { createRequestId } from '@/lib/server/service/request'
import { authorizeOperation } from './authorize'
import { parseInput } from './input'
import {
  countListRows,
  type OperationRequest,
  parseRequestInput,
  readFromService,
  readMirrorList,
  readMirrorMeta,
  readMirrorRecord,
} from './operation-reads'
import { toTarget } from './target'

export type ReadFailure = { ok: false; error: WireError; requestId: string }

export type LoadResult<T> =
  | { ok: true; data: T; meta: ApiAnswer<unknown>['meta'] & { snapshot?: string } }
  | ReadFailure

/** Sensitive reads require a reason and an audit row; internal reads are for the server. */
const isHiddenFromPages = (id: ReadId): boolean =>
  Boolean(getServiceOperation(id).sensitive || getServiceOperation(id).internal)

type PageScope = Pick<PageContext, 'environment' | 'account'>

/** Returns errors instead of throwing them: the page shows them in place of the data. */
async function runPageRead<T extends object>(
  { environment, account }: PageScope,
  id: ReadId,
  target: string | null,
  readData: (actor: Actor) => Promise<T>,
): Promise<({ ok: true } & T) | ReadFailure> {
  const actor = await getCurrentActor()
  try {
    if (!actor) throw new AppError('unauthenticated', 'Your session has ended: sign in again')
    return { ok: true, ...(await readData(actor)) }
  } catch (error) {
    return toReadFailure(error, {
      name: id,
      actor,
      environment,
      account: tryParseAccountId(account),
      target,
    })
  }
}

/** Throws `forbidden` if the person may not read the list in one of the accounts. */
async function requireListScope(
  actor: Actor,
  { environment, account }: PageScope,
  id: MirrorListId,
): Promise<ListScope> {
  const namedAccounts =
    account === null ? getGrantedAccounts(actor.grants, environment) : [parseAccountId(account)]
  if (namedAccounts?.length === 0)
    throw new AppError('forbidden', `You have no role in ${environment}`)
  for (const accountId of namedAccounts ?? [null])
    requireRole(requireScope(actor, environment, accountId), id)
  return { environment, accountId: account && parseAccountId(account) }
}

/**
 * `live` is true to always call the service, false to never call it, and unset to call it only for
 * data that the mirror lacks. `across` adds conditions to a list from the mirror; all rows of that
 * list are then counted.
 */
type ReadOptions = { live?: boolean; across?: Conditions }

/**
 * Tries the mirror before `authorize`, which may call the service. Returns null if the mirror lacks
 * the object, or for a list that needs `authorize` first.
 */
async function tryReadMirror(
  asked: OperationRequest,
  id: ReadId,
  given: Record<string, unknown>,
  { live, across }: ReadOptions,
) {
  const { actor } = asked
  if (across && isMirrored(id))
    return readMirrorList(
      actor,
      id,
      parseInput(id, given),
      await requireListScope(actor, asked, id),
      'whole',
      across,
    )
  return isRecordGet(id) && !live ? readMirrorRecord(actor, id, String(given.id), asked) : null
}

/** Takes the same steps as a browser request. Returns errors instead of throwing them. */
export async function loadReadForPage<K extends ReadId>(
  pageScope: PageScope,
  id: K,
  input: Input<K>,
  options: ReadOptions = {},
): Promise<LoadResult<Output<K>>> {
  if (isHiddenFromPages(id)) {
    // This is a bug of the page, not a request of the person, so no refusal is audited.
    return {
      ok: false,
      error: new AppError('forbidden', 'This is not shown on a page of its own').toWire(),
      requestId: createRequestId(),
    }
  }
  const inputFields = input as Record<string, unknown>
  const target = toTarget(id, { id: String(inputFields.id ?? '') })
  return runPageRead(pageScope, id, target, async (actor) => {
    const operationRequest: OperationRequest = {
      ...pageScope,
      actor,
      id,
      target,
      params: {},
      fields: async () => inputFields,
    }
    const mirrorAnswer = await tryReadMirror(operationRequest, id, inputFields, options)
    if (mirrorAnswer) return { data: mirrorAnswer.data as Output<K>, meta: mirrorAnswer.meta }
    if (options.live === false)
      throw new AppError('not_found', 'Paydesk has not seen this object yet')
    const scope = (await authorizeOperation(operationRequest.actor, {
      ...operationRequest,
      operation: operationRequest.id,
    })) as ScopedAccount
    const parsed = await parseRequestInput(operationRequest, scope)
    const readResult =
      isMirrored(id) && !options.live
        ? await readMirrorList(actor, id, parsed, scope, 'short')
        : await readFromService(actor, id, parsed, scope)
    return { data: readResult.data as Output<K>, meta: readResult.meta }
  })
}

/** Each count is at most `maxCountedRows` + 1. Null if they could not be counted. */
export async function loadListCounts<K extends MirrorListId>(
  pageScope: PageScope,
  id: K,
  searches: readonly Input<K>[],
): Promise<number[] | null> {
  const actor = await getCurrentActor()
  if (!actor) return null
  const requests = searches.map((search): OperationRequest => {
    return {
      ...pageScope,
      actor,
      id,
      target: null,
      params: {},
      fields: async () => search as Record<string, unknown>,
    }
  })
  return countListRows(requests, id).catch(() => null)
}

/** Never throws, like `loadReadForPage`. */
export const loadPaymentSums = <K extends SumGroupKey>(
  pageScope: PageScope,
  input: Input<'payments.search'>,
  sumKeys: readonly K[],
  extraConditions?: Conditions,
): Promise<LoadResult<GroupedPaymentSum<K>[]>> =>
  runPageRead(pageScope, 'payments.search', null, async (actor) => {
    const scope = await requireListScope(actor, pageScope, 'payments.search')
    const parsedInput = parseInput('payments.search', input) as ListInput<'payments.search'>
    const [data, meta] = await Promise.all([
      sumPayments(actor, parsedInput, scope, sumKeys, extraConditions),
      readMirrorMeta(actor, 'payments.search', scope),
    ])
    return { data, meta }
  })

/** Never throws, like `loadReadForPage`. Omits objects that the person cannot see. */
export const loadMirrorRows = <K extends MirrorListId>(
  pageScope: PageScope,
  id: K,
  ids: readonly string[],
) =>
  runPageRead(pageScope, id, null, async (actor) => ({
    rows: await readMirrorRows(actor, id, ids, await requireListScope(actor, pageScope, id)),
  }))

export const listRowAccounts = (
  { account }: Pick<PageContext, 'account'>,
  { data, meta }: { data: unknown; meta: ApiAnswer<unknown>['meta'] },
): (string | null)[] => (data as unknown[]).map((_, at) => account ?? meta.accounts?.[at] ?? null)

/** Audits a refused read. If that fails, returns the failure instead of the original error. */
export async function toReadFailure(error: unknown, context: RefusalContext): Promise<ReadFailure> {
  const failure: unknown = await recordRefusal(error, context).then(
    () => error,
    (unrecorded: unknown) => unrecorded,
  )
  const appError =
    failure instanceof AppError
      ? failure
      : new AppError('internal', 'Something went wrong on our side', { cause: failure })
  const requestId = appError.requestId ?? createRequestId()
  if (appError !== failure)
    log.error({ event: 'request.failed', request_id: requestId, code: getErrorCode(failure) })
  return { ok: false, error: appError.toWire(), requestId }
}
