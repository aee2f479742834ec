'use client'

import { useQuery } from '@tanstack/react-query'
import { useDesk } from '@/components/kits/layout/desk-context'
import { readAccountOf } from '@/lib/client/queries'

/** Whose payout this is, or why that is not known; `why` is a sentence for closed buttons. */
export type PayoutAccount = { account: string; why: null } | { account: null; why: string; finding: boolean }

/**
 * The account of a payout. In an account's scope it is that account; in the whole-platform scope it is learnt, because the service does not
 * say and a write needs it.
 */
export function usePayoutAccount(id: string, knownAccount: string | null): PayoutAccount {
  const desk = useDesk()
  const known = desk.account ?? knownAccount
  const search = useQuery({ ...readAccountOf(desk, 'payouts', id), enabled: known === null })
  const account = known ?? search.data?.data.account
  if (account) return { account, why: null }
  if (search.isFetching || search.isPending) return { account: null, why: 'Finding the account this payout belongs to…', finding: true }
  const where = search.data ? ` in ${search.data.data.searched} accounts${search.data.data.complete ? '' : ' so far'}` : ''
  return { account: null, why: `The account of this payout was not found${where}. Choose the account first.`, finding: false }
}
