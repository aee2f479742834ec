'use client'

import { useQuery } from '@tanstack/react-query'
import { useDesk } from '@/components/kits/layout/desk-context'
import { readAccountOf } from '@/lib/client/queries'
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
  const where = search.data ? ` in ${search.data.data.searched} accounts${search.data.data.complete ? '' : ' so far'}` : ''
  return { account: null, why: `The account of this ${noun} was not found${where}. Choose the account first.`, finding: false }
}

/** An owner in words, for a head or a sentence. */
export function ownerText(owner: Owner, nameOf: (account: string) => string): string {
  if (owner.account !== null) return nameOf(owner.account)
  return owner.finding ? 'finding the account…' : 'an unknown account'
}
