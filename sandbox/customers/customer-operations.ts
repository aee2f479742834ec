import { notFound } from '@/sandbox/http/problem'
import type { Operation } from '@/sandbox/operation'

/** Reads of customers. */
export const customerOperations: readonly Operation[] = [
  {
    id: 'customers.get',
    method: 'GET',
    path: '/v1/customers/:id',
    account: 'scoped',
    body: 'none',
    handle: ({ sandbox, params, account }) => {
      const found = sandbox.customers.get(params.id ?? '')
      if (!found || (account !== null && found.account !== account)) throw notFound('customer')
      return { status: 200, data: found.customer }
    },
  },
]
