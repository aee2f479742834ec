import 'server-only'
import { AppError, type WireError } from '@/lib/errors'
import type { Account } from '@/lib/operations/accounts.schema'
import type { Desk } from '@/lib/operations/desk'
import type { Input, Output } from '@/lib/operations/registry'
import { type ReadId, rowOf } from '@/lib/operations/rows'
import { permit, targetOf } from './guard'
import { parseInput } from './proxy/input'
import { type Read, readService } from './proxy/service-read'
import { narrowed, ownAccounts } from './reach'
import { newRequestId } from './request-id'
import { currentActor } from './session'

/** What a page's read came to: data, or the error to draw in its place. */
export type Loaded<T> = { ok: true; data: T; meta: Read<ReadId>['meta'] } | { ok: false; error: WireError; requestId: string }

/** What is masked elsewhere is shown on demand only, with a reason and on record; what the server alone asks is shown nowhere. */
function refuseOnPages(id: ReadId): void {
  const { sensitive, internal } = rowOf(id)
  if (sensitive || internal) throw new AppError('forbidden', 'This is not shown on a page by itself')
}

/**
 * Reads for a server-rendered view, with the same checks as the proxy. Never throws for what the service or a permission says: a page draws
 * that where the data would stand.
 */
export async function load<K extends ReadId>(desk: Desk, id: K, input: Input<K>): Promise<Loaded<Output<K>>> {
  try {
    refuseOnPages(id)
    const actor = await currentActor()
    if (!actor) throw new AppError('unauthenticated', 'Your session has ended: sign in again')
    const given = input as Record<string, unknown>
    const target = targetOf(id, { id: String(given.id ?? '') })
    const scope = await permit(actor, {
      environment: desk.environment,
      operation: id,
      account: desk.account,
      target,
      fields: async () => given,
    })
    const { data, meta } = await readService(id, parseInput(id, narrowed(id, given, scope)) as Input<K>, scope)
    // A page must not show what the proxy would have left out.
    if (id === 'accounts.list') return { ok: true, ...ownAccounts({ data: data as Account[], meta }, actor, scope) } as Loaded<Output<K>>
    return { ok: true, data, meta }
  } catch (error) {
    const known = error instanceof AppError ? error : new AppError('internal', 'Something went wrong on our side', { cause: error })
    return { ok: false, error: known.toWire(), requestId: known.requestId ?? newRequestId() }
  }
}
