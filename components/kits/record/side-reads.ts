'use client'

import { useQuery } from '@tanstack/react-query'
import { usePageContext } from '@/components/kits/layout/page-context'
import type { AnswerMeta, CallAnswer } from '@/lib/client/call'
import type { CallError } from '@/lib/client/call-error'
import type { CallScope } from '@/lib/client/page-context'
import { operationQuery } from '@/lib/client/query/reads'
import type { ReadResult } from '@/lib/domain/check'
import { getOwnerRule } from '@/lib/operations/ownership'
import type { Input, Output } from '@/lib/operations/registry'
import type { ReadId } from '@/lib/operations/service-operations'

/**
 * The result of a read that a record's page needs besides the record, such as its customer. A
 * failure does not affect other reads. `again` repeats a failed read.
 */
export type RelatedReadResult<T> = ReadResult<T> & {
  meta: AnswerMeta | undefined
  again: () => void
}

/**
 * Reads data that a record's page needs besides the record. Without `input` nothing is read: the
 * result has the error text `missing`. If that is undefined too, the result stays loading.
 */
export function useRelatedRead<K extends ReadId>(
  scope: CallScope,
  operationId: K,
  input?: Input<K>,
  missing?: string,
): RelatedReadResult<Output<K>> {
  const relatedQuery = useQuery({
    ...operationQuery(scope, operationId, input ?? ({} as Input<K>)),
    enabled: input !== undefined,
  })
  const retryFailedRead = () => void (relatedQuery.isError && relatedQuery.refetch())
  if (relatedQuery.data) {
    const { data, meta } = relatedQuery.data
    return {
      data,
      meta,
      at: meta.read_at,
      unread: meta.unreadable_rows?.length ? meta.unreadable_rows : undefined,
      again: retryFailedRead,
    }
  }
  const noInputReason = input === undefined ? missing : undefined
  return {
    error: relatedQuery.error ? `Could not be read: ${relatedQuery.error.message}` : noInputReason,
    meta: undefined,
    again: retryFailedRead,
  }
}

/** Resources whose objects do not contain their account. */
type ResourceWithoutAccount = 'payouts' | 'charges' | 'customers' | 'paykeys' | 'funding_events'

/**
 * To whom an object belongs: an account (`acct_…`) or the platform (a marketplace's customers). If
 * not yet known, `why` is the reason for disabled buttons; `finding` is true during the lookup.
 */
export type OwnerAccount =
  | { of: 'account'; account: string; why: null }
  | { of: 'platform'; account: null; why: null }
  | { of: 'unknown'; account: null; why: string; finding: boolean }

/** Milliseconds until an object whose account is unknown is read again. */
const unknownAccountRetryMs = 10_000

/**
 * Returns the owner of an object: the platform if its kind belongs to it, the page's account, otherwise `knownAccount`, otherwise the
 * account that Paydesk's API returns with the object. The service does not return the account, but
 * a write requires it. `noun` is the object's noun.
 */
export function useOwnerAccount(
  resource: ResourceWithoutAccount,
  id: string,
  knownAccount: string | null,
  noun: string,
): OwnerAccount {
  const context = usePageContext()
  const isOfPlatform = getOwnerRule(resource, context.integration) === 'platform'
  const initialAccount = context.account ?? knownAccount
  const isAccountUnknown = (meta: AnswerMeta | undefined) =>
    initialAccount === null && !meta?.account
  const recordQuery = useQuery<CallAnswer<object>>({
    ...operationQuery(context, `${resource}.get`, { id }),
    enabled: initialAccount === null && !isOfPlatform,
    refetchInterval: ({ state }) => isAccountUnknown(state.data?.meta) && unknownAccountRetryMs,
  })
  const ownerAccount = initialAccount ?? recordQuery.data?.meta.account
  if (isOfPlatform) return { of: 'platform', account: null, why: null }
  if (ownerAccount) return { of: 'account', account: ownerAccount, why: null }
  const isSearching =
    recordQuery.isPending || (recordQuery.isFetching && recordQuery.data?.meta.mirror)
  if (isSearching)
    return {
      of: 'unknown',
      account: null,
      why: `Finding the account this ${noun} belongs to…`,
      finding: true,
    }
  return {
    of: 'unknown',
    account: null,
    why: `${explainUnknownAccount(noun, recordQuery)} Choose the account first.`,
    finding: false,
  }
}

function explainUnknownAccount(noun: string, { error }: { error: CallError | null }): string {
  if (error)
    return `The account of this ${noun} could not be looked up: ${error.message.replace(/\.?$/, '.')}`
  return `The account of this ${noun} is not known yet.`
}

export function formatOwnerAccount(
  owner: OwnerAccount,
  getAccountName: (account: string | null) => string,
): string {
  if (owner.of !== 'unknown') return getAccountName(owner.account)
  return owner.finding ? 'finding the account…' : 'an account not known yet'
}
