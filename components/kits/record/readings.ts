'use client'

import { useQuery } from '@tanstack/react-query'
import { usePageContext } from '@/components/kits/layout/page-context'
import type { AnswerMeta, CallAnswer } from '@/lib/client/call'
import type { CallError } from '@/lib/client/call-error'
import type { CallScope } from '@/lib/client/page-context'
import { read } from '@/lib/client/query/reads'
import { known, type Loadable, missing } from '@/lib/domain/loadable'
import type { Input, Output } from '@/lib/operations/registry'
import type { ReadId } from '@/lib/operations/service-operations'

/** A reading beside a record, on its own, so that one that fails takes nothing else with it. `again` reads once more what failed. */
export type LoadableRead<T> = { loadable: Loadable<T>; meta: AnswerMeta | undefined; again: () => void }

/** One read as a loadable value; without an input it is missing for the reason given, or on its way where there is none. */
export function useLoadable<K extends ReadId>(scope: CallScope, id: K, input: Input<K> | undefined, why?: string): LoadableRead<Output<K>> {
  const query = useQuery({ ...read(scope, id, input ?? ({} as Input<K>)), enabled: input !== undefined })
  const again = () => void (query.isError && query.refetch())
  const meta = query.data?.meta
  if (query.data) return { loadable: known(query.data.data, meta?.read_at ?? '', meta?.unreadable_rows), meta, again }
  if (query.error) return { loadable: missing(`Could not be read: ${query.error.message}`), meta, again }
  return { loadable: input === undefined && why !== undefined ? missing(why) : { state: 'loading' }, meta, again }
}

/** What does not say itself whose it is. */
type OwnedResource = 'payouts' | 'charges' | 'customers' | 'paykeys' | 'funding_events'

/**
 * Whose object this is (`acct_…`), or why that is not known; `why` is a sentence for closed buttons.
 */
export type Owner = { account: string; why: null } | { account: null; why: string; finding: boolean }

/** How soon an object is read again whose account was not known (milliseconds). */
const again = 10_000

/**
 * The account of an object. In an account's scope it is that account; in the whole-platform scope what is known of it comes with the object, because the
 * service does not say and a write needs it. `noun` is how people call the object.
 */
export function useOwner(resource: OwnedResource, id: string, knownAccount: string | null, noun: string): Owner {
  const context = usePageContext()
  const known = context.account ?? knownAccount
  const isUnknown = (meta: AnswerMeta | undefined) => known === null && !meta?.account
  const object = useQuery<CallAnswer<object>>({
    ...read(context, `${resource}.get`, { id }),
    enabled: known === null,
    refetchInterval: ({ state }) => isUnknown(state.data?.meta) && again,
  })
  const account = known ?? object.data?.meta.account
  if (account) return { account, why: null }
  const isAsked = object.isPending || (object.isFetching && object.data?.meta.mirror)
  if (isAsked) return { account: null, why: `Finding the account this ${noun} belongs to…`, finding: true }
  return { account: null, why: `${whyNot(noun, object)} Choose the account first.`, finding: false }
}

/** Why the account is not known: it could not be asked, or no account that was asked has the object. */
function whyNot(noun: string, { error }: { error: CallError | null }): string {
  if (error) return `The account of this ${noun} could not be looked up: ${error.message.replace(/\.?$/, '.')}`
  return `The account of this ${noun} is not known yet.`
}

/** An owner in words, for a head or a sentence. */
export function ownerText(owner: Owner, nameOf: (account: string) => string): string {
  if (owner.account !== null) return nameOf(owner.account)
  return owner.finding ? 'finding the account…' : 'an account not known yet'
}
