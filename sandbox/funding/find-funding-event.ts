import { notFound } from '@/sandbox/http/problem'
import type { Call } from '@/sandbox/operation'
import type { Entry } from '@/sandbox/store/doc-table'
import type { FundingEvent } from './funding-event'

/** Returns the funding event of a request's path. Throws a 404 if it does not exist or belongs to another account. */
export function findFundingEvent({ sandbox, params, account }: Call): Entry<FundingEvent> {
  const found = sandbox.fundingEvents.get(params.id ?? '', account)
  if (!found) throw notFound('funding event')
  return found
}
