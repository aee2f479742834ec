import 'server-only'
import { AppError } from '@/lib/errors'
import { isOperationId, type ReadId, rowOf } from '@/lib/operations/rows'
import type { Draft } from '@/lib/server/actions/book'
import { asNotSent } from '@/lib/server/actions/fill'
import { storeTime } from '@/lib/server/store/store'
import { respondError } from './respond'
import { readService, snapshotOf } from './service-read'

/** The read that shows a target as screens show it, and the target's id; null where there is no such read. */
function readerOf(target: string | null): { get: ReadId; id: string } | null {
  const [resource = '', id = ''] = target?.split('/') ?? []
  const get = `${resource}.get`
  return isOperationId(get) ? { get: get as ReadId, id } : null
}

/**
 * Refuses a write on an object that is no longer what the person saw: it is read anew and compared with the hash that came with its page.
 * A write without the hash is not compared. Gives the answer to send, or the time of the comparison by the store's clock.
 */
export async function compare(draft: Draft): Promise<Response | Date | null> {
  const reader = readerOf(draft.target)
  if (!draft.snapshotHash || !reader) return null
  const { does } = rowOf(draft.operation)
  const at = await storeTime()
  const what = `You asked to ${does}, but what you saw`
  const now = await readService(reader.get, { id: reader.id } as never, draft.scope).catch(asNotSent(what))
  if (snapshotOf(now.data) === draft.snapshotHash) return at
  const error = new AppError('changed', `${what} has changed since. Nothing was sent: look at it as it is now`)
  return respondError(error, now.meta.request_id, { data: now.data })
}
