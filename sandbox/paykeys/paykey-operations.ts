import { notFound } from '@/sandbox/http/problem'
import type { Operation } from '@/sandbox/operation'

/** Reads of paykeys, the token masked. */
export const paykeyOperations: readonly Operation[] = [
  {
    id: 'paykeys.get',
    method: 'GET',
    path: '/v1/paykeys/:id',
    account: 'scoped',
    body: 'none',
    handle: ({ sandbox, params, account }) => {
      const found = sandbox.paykeys.get(params.id ?? '')
      if (!found || (account !== null && found.account !== account)) throw notFound('paykey')
      return { status: 200, data: found.paykey }
    },
  },
]
