import 'server-only'
import { AppError } from '@/lib/errors'
import { isOperationId, type OperationId, type ReadId, resourceOf } from '@/lib/operations/rows'
import { asNotSent } from './actions/fill'
import { type Read, readService } from './proxy/service-read'
import type { ScopedAccount } from './scoped-account'

const nowhere = 'There is no such object in your accounts. Check the id'

/** An object of an account the person holds no role for: refused as if it did not exist, but a denial, which goes on record. */
export class HiddenObject extends AppError {
  constructor() {
    super('service_not_found', nowhere)
  }
}

/**
 * Reads the object somebody asks about in a scope, to learn whether it is there and whose it is; null where its resource has no such read. Throws
 * the one refusal of an object that is not there, and `not_sent` where that cannot be told.
 */
export async function readTarget(operation: OperationId, target: string, scope: ScopedAccount): Promise<Read<ReadId> | null> {
  const get = `${resourceOf(operation)}.get`
  if (!isOperationId(get)) return null
  const id = target.slice(target.indexOf('/') + 1)
  return readService(get as ReadId, { id } as never, scope).catch((cause: unknown) => {
    // Without the id the service gave its answer: the refusal of a hidden object has none.
    if (cause instanceof AppError && cause.code === 'service_not_found') throw new AppError('service_not_found', nowhere, { cause })
    return asNotSent('The object')(cause)
  })
}
