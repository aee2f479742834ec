import 'server-only'
import { whyUnreadable } from '@/lib/domain/unreadable-rules'
import { AppError } from '@/lib/errors'
import { isServiceOperationId, type ReadId, serviceOperation } from '@/lib/operations/service-operations'
import type { NewAction } from '@/lib/server/actions/action-log'
import type { ScopedAccount } from '@/lib/server/auth/scoped-account'
import { asNotSent, readService, snapshotOf } from '@/lib/server/service/service-read'
import { storeTime } from '@/lib/server/store/store'
import { respondError } from './respond'

/** The read that shows a target as screens show it, and the target's id; null where there is no such read. */
function readerOf(target: string | null): { get: ReadId; id: string } | null {
  const [resource = '', id = ''] = target?.split('/') ?? []
  const get = `${resource}.get`
  return isServiceOperationId(get) ? { get: get as ReadId, id } : null
}

/** An object that is still what the person saw, and when that was so by the store's clock. */
export type Compared = { at: Date; data: unknown }

/**
 * Refuses a write on an object that is no longer what the person saw: it is read again and compared with the hash that came with its page.
 * A write without the hash is not compared. Throws `not_sent` where what the write rests on could not be read. Gives the answer to send, or
 * what was read and the time of the comparison by the store's clock.
 */
export async function compare(newAction: NewAction): Promise<Response | Compared | null> {
  const reader = readerOf(newAction.target)
  if (!newAction.snapshotHash || !reader) return null
  const { verbPhrase } = serviceOperation(newAction.operation)
  const at = await storeTime()
  const what = `You asked to ${verbPhrase}, but what you saw`
  const now = await readService(reader.get, { id: reader.id } as never, newAction.scope).catch(asNotSent(what))
  if (snapshotOf(now.data) === newAction.snapshotHash) {
    const why = whyUnreadable(newAction.operation, now.data)
    if (why) throw new AppError('not_sent', `${why} Nothing was sent`, { requestId: now.meta.request_id })
    return { at, data: now.data }
  }
  const error = new AppError('changed', `${what} has changed since. Nothing was sent: refresh and review`)
  return respondError(error, now.meta.request_id, { data: now.data })
}

/** The object of a write as it is now; undefined where it has no such read. Throws what a read throws. */
export async function readNow(target: string | null, scope: ScopedAccount): Promise<unknown> {
  const reader = readerOf(target)
  return reader ? (await readService(reader.get, { id: reader.id } as never, scope)).data : undefined
}

/** Reads an object a write does not say what was seen of, for whoever has to approve it: what it is now counts as seen. Null where it has no such read. */
export async function look(newAction: NewAction): Promise<Compared | null> {
  const reader = readerOf(newAction.target)
  if (!reader) return null
  const at = await storeTime()
  return { at, data: await readNow(newAction.target, newAction.scope).catch(asNotSent('The record')) }
}
