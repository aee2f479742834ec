import 'server-only'
import { AppError, type WireError } from '@/lib/errors'
import type { Answer } from '@/lib/operations/answer'
import type { PageContext } from '@/lib/operations/page-context'
import type { Input, Output } from '@/lib/operations/registry'
import { isMirrored, type MirrorListId, type ReadId, serviceOperation } from '@/lib/operations/service-operations'
import { type Asking, recordRefusal } from '@/lib/server/audit/refusals'
import { accountNamed, type ScopedAccount } from '@/lib/server/auth/scoped-account'
import { currentActor } from '@/lib/server/auth/session'
import { log } from '@/lib/server/log'
import { newRequestId } from '@/lib/server/service/request'
import { targetOf } from './permit'
import { countLists, inputOf, type OperationRequest, permission, readAs, readList } from './prepare'
import { nameOf } from './respond'

/** What a page's read came to: data, or the error to draw in its place. */
export type Loaded<T> =
  | { ok: true; data: T; meta: Answer<unknown>['meta'] & { snapshot?: string } }
  | { ok: false; error: WireError; requestId: string }

/** What is masked elsewhere is shown on demand only, with a reason and on record; what the server alone asks is shown nowhere. */
const isNeverOnPages = (id: ReadId): boolean => Boolean(serviceOperation(id).sensitive || serviceOperation(id).internal)

/**
 * Reads for a server-rendered view, lists from the mirror and everything else from the service, through the same steps as a request of the browser. Never throws for what the service or a permission says: a page draws
 * that where the data would be.
 */
export async function load<K extends ReadId>(
  context: Pick<PageContext, 'environment' | 'account'>,
  id: K,
  input: Input<K>,
): Promise<Loaded<Output<K>>> {
  if (isNeverOnPages(id)) {
    // A mistake of ours in the page, not of who opened it: nobody was refused anything.
    return { ok: false, error: new AppError('forbidden', 'This is not shown on a page of its own').toWire(), requestId: newRequestId() }
  }
  const given = input as Record<string, unknown>
  const { environment, account } = context
  const target = targetOf(id, { id: String(given.id ?? '') })
  const actor = await currentActor()
  try {
    if (!actor) throw new AppError('unauthenticated', 'Your session has ended: sign in again')
    const asked: OperationRequest = { actor, environment, id, account, target, params: {}, fields: async () => given }
    const scope = (await permission(asked)) as ScopedAccount
    const parsed = await inputOf(asked, scope)
    const read = isMirrored(id) ? await readList(actor, id, parsed, scope, 'short') : await readAs(actor, id, parsed, scope)
    return { ok: true, data: read.data as Output<K>, meta: read.meta }
  } catch (error) {
    return failedRead(error, { name: id, actor, environment, account: accountNamed(account), target })
  }
}

/** How many rows each of some searches of a list finds, no further than one beyond `mostCounted`; null where they could not be counted. */
export async function loadCounts<K extends MirrorListId>(
  { environment, account }: Pick<PageContext, 'environment' | 'account'>,
  id: K,
  searches: readonly Input<K>[],
): Promise<number[] | null> {
  const actor = await currentActor()
  if (!actor) return null
  const asked = searches.map((search): OperationRequest => {
    return { actor, environment, id, account, target: null, params: {}, fields: async () => search as Record<string, unknown> }
  })
  return countLists(asked, id).catch(() => null)
}

/** The account of each row of a list: the page's own, or over the whole platform the one it is known to belong to. */
export const accountsOf = (
  { account }: Pick<PageContext, 'account'>,
  { data, meta }: { data: unknown; meta: Answer<unknown>['meta'] },
): (string | null)[] => (data as unknown[]).map((_, at) => account ?? meta.accounts?.[at] ?? null)

/** What a page is told in place of what could not be read; a refusal is on record by then. */
export async function failedRead(error: unknown, asking: Asking): Promise<{ ok: false; error: WireError; requestId: string }> {
  const told: unknown = await recordRefusal(error, asking).then(
    () => error,
    (unrecorded: unknown) => unrecorded,
  )
  const known = told instanceof AppError ? told : new AppError('internal', 'Something went wrong on our side', { cause: told })
  const requestId = known.requestId ?? newRequestId()
  if (known !== told) log.error({ event: 'request.failed', request_id: requestId, code: nameOf(told) })
  return { ok: false, error: known.toWire(), requestId }
}
