'use client'

import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useDesk } from '@/components/kits/layout/desk-context'
import type { CallError } from '@/lib/client/call-error'
import { read } from '@/lib/client/queries'
import type { CallAnswer } from '@/lib/client/request'
import type { Output } from '@/lib/operations/registry'
import type { FoundId } from './id-in'

/** What an id was found to be. */
export type Hit =
  | { kind: 'payout'; data: Output<'payouts.get'> }
  | { kind: 'charge'; data: Output<'payments.search'>[number] }
  | { kind: 'customer'; data: Output<'customers.get'> }
  | { kind: 'paykey'; data: Output<'paykeys.get'> }
  | { kind: 'account'; data: Output<'accounts.get'> }

type Result = UseQueryResult<CallAnswer<unknown>, CallError>

const notHere = new Set(['service_not_found', 'not_found'])

/** Asks every resource for the id at once. "Not found" is an answer; anything else that fails is named, so that silence never reads as absence. */
export function useLookup({ id, isAccount }: FoundId) {
  const desk = useDesk()
  const enabled = !isAccount
  const payout = useQuery({ ...read(desk, 'payouts.get', { id }), enabled })
  const payments = useQuery({ ...read(desk, 'payments.search', { payment_id: id, page_size: 1 }), enabled })
  const customer = useQuery({ ...read(desk, 'customers.get', { id }), enabled })
  const paykey = useQuery({ ...read(desk, 'paykeys.get', { id }), enabled })
  const account = useQuery(read(desk, 'accounts.get', { id }))

  const all: { what: string; result: Result }[] = [
    { what: 'payouts', result: payout },
    { what: 'payments', result: payments },
    { what: 'customers', result: customer },
    { what: 'paykeys', result: paykey },
    { what: 'accounts', result: account },
  ].filter(({ what }) => enabled || what === 'accounts')
  const charge = payments.data?.data.find((payment) => payment.payment_type !== 'payout')
  const failed = all.filter(({ result }) => result.error && !notHere.has(result.error.code))
  return {
    hits: [
      payout.data && { kind: 'payout' as const, data: payout.data.data },
      charge && { kind: 'charge' as const, data: charge },
      customer.data && { kind: 'customer' as const, data: customer.data.data },
      paykey.data && { kind: 'paykey' as const, data: paykey.data.data },
      account.data && { kind: 'account' as const, data: account.data.data },
    ].filter((hit): hit is Hit => Boolean(hit)),
    failures: failed.map(({ what, result }) => ({ what, why: result.error?.message ?? '' })),
    busy: all.some(({ result }) => result.isFetching),
    searched: all.filter((each) => !failed.includes(each)).map(({ what }) => what),
  }
}
