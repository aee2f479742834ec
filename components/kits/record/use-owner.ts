'use client'

import { useQuery } from '@tanstack/react-query'
import { useDesk } from '@/components/kits/layout/desk-context'
import type { CallError } from '@/lib/client/call-error'
import { type FoundAccount, readAccountOf } from '@/lib/client/queries'
import type { CallAnswer } from '@/lib/client/request'
import type { Resource } from '@/lib/operations/define'

/** Whose object this is (`acct_…`), or why that is not known; `why` is a sentence for closed buttons. */
export type Owner = { account: string; why: null } | { account: null; why: string; finding: boolean }

/**
 * The account of an object. In an account's scope it is that account; in the whole-platform scope it is learnt, because the service does not
 * say and a write needs it. `noun` is how people call the object.
 */
export function useOwner(resource: Resource, id: string, knownAccount: string | null, noun: string): Owner {
  const desk = useDesk()
  const known = desk.account ?? knownAccount
  const search = useQuery({ ...readAccountOf(desk, resource, id), enabled: known === null })
  const account = known ?? search.data?.data.account
  if (account) return { account, why: null }
  if (search.isFetching || search.isPending) return { account: null, why: `Finding the account this ${noun} belongs to…`, finding: true }
  return { account: null, why: `${whyNot(noun, search)} Choose the account first.`, finding: false }
}

/** Why the account is not known: it could not be asked, only some accounts were asked, or none has the object. */
function whyNot(noun: string, { data, error }: { data: CallAnswer<FoundAccount> | undefined; error: CallError | null }): string {
  if (error) return `The account of this ${noun} could not be looked up: ${error.message.replace(/\.?$/, '.')}`
  if (data?.data.complete) return `No account you can see has this ${noun}.`
  return `The account of this ${noun} is not yet known.`
}

/** An owner in words, for a head or a sentence. */
export function ownerText(owner: Owner, nameOf: (account: string) => string): string {
  if (owner.account !== null) return nameOf(owner.account)
  return owner.finding ? 'finding the account…' : 'an account not yet known'
}
