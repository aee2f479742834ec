import 'server-only'
import { AppError, type WireError } from '@/lib/errors'
import type { Account } from '@/lib/operations/accounts.schema'
import type { Desk } from '@/lib/operations/desk'
import type { Input, Output } from '@/lib/operations/registry'
import { type ReadId, rowOf } from '@/lib/operations/rows'
import { type Asking, recordRefusal } from './audit/refusals'
import { permit, targetOf } from './guard'
import { parseInput } from './proxy/input'
import { type Read, readService } from './proxy/service-read'
import { narrowed, ownAccounts } from './reach'
import { newRequestId } from './request-id'
import { accountNamed } from './scoped-account'
import { currentActor } from './session'

/** What a page's read came to: data, or the error to draw in its place. */
export type Loaded<T> = { ok: true; data: T; meta: Read<ReadId>['meta'] } | { ok: false; error: WireError; requestId: string }

/** What is masked elsewhere is shown on demand only, with a reason and on record; what the server alone asks is shown nowhere. */
const isNeverOnPages = (id: ReadId): boolean => Boolean(rowOf(id).sensitive || rowOf(id).internal)

/**
 * Reads for a server-rendered view, with the same checks as the proxy. Never throws for what the service or a permission says: a page draws
 * that where the data would stand.
 */
export async function load<K extends ReadId>(desk: Desk, id: K, input: Input<K>): Promise<Loaded<Output<K>>> {
  if (isNeverOnPages(id)) {
    // A mistake of ours in the page, not of who opened it: nobody was refused anything.
    return { ok: false, error: new AppError('forbidden', 'This is not shown on a page by itself').toWire(), requestId: newRequestId() }
  }
  const given = input as Record<string, unknown>
  const target = targetOf(id, { id: String(given.id ?? '') })
  const actor = await currentActor()
  try {
    if (!actor) throw new AppError('unauthenticated', 'Your session has ended: sign in again')
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
    return failedRead(error, { name: id, actor, environment: desk.environment, account: accountNamed(desk.account), target })
  }
}

/** What a page is told in place of what could not be read; a refusal is on record by then. */
export async function failedRead(error: unknown, asking: Asking): Promise<{ ok: false; error: WireError; requestId: string }> {
  const told: unknown = await recordRefusal(error, asking).then(
    () => error,
    (unrecorded: unknown) => unrecorded,
  )
  const known = told instanceof AppError ? told : new AppError('internal', 'Something went wrong on our side', { cause: told })
  return { ok: false, error: known.toWire(), requestId: known.requestId ?? newRequestId() }
}
