import { z } from 'zod'
import { notFound } from '@/sandbox/http/problem'
import { paging, readQuery } from '@/sandbox/http/read-query'
import type { Call, Operation } from '@/sandbox/operation'
import { type Account, accountSettingsOf } from './account'

const statuses = ['created', 'onboarding', 'active', 'rejected', 'inactive'] as const

const listQuery = z.strictObject({
  ...paging(['id', 'name', 'created_at']),
  search_text: z.string().max(200, 'must be at most 200 characters').optional(),
  status: z.enum(statuses, `must be one of ${statuses.join(', ')}`).optional(),
  type: z.enum(['business'], 'must be business').optional(),
  external_id: z.string().optional(),
})

function find({ sandbox, params }: Call): Account {
  const account = sandbox.accounts.get(params.account_id ?? '')
  if (!account) throw notFound('account')
  return account
}

/** Reads of accounts and their settings. Service-Account-Id does not scope them; the account in the path does. */
export const accountOperations: readonly Operation[] = [
  {
    id: 'accounts.list',
    method: 'GET',
    path: '/v1/accounts',
    account: 'ignored',
    body: 'none',
    handle: ({ sandbox, query: params }) => {
      const query = readQuery(listQuery, params)
      const sortBy = query.sort_by ?? 'id'
      const offset = (query.page_number - 1) * query.page_size
      const { total, items } = sandbox.accounts.list(query, sortBy, query.sort_order, offset, query.page_size)
      return { list: { items, total, page: query.page_number, size: query.page_size, sortBy, sortOrder: query.sort_order } }
    },
  },
  {
    id: 'accounts.get',
    method: 'GET',
    path: '/v1/accounts/:account_id',
    account: 'ignored',
    body: 'none',
    handle: (call) => ({ status: 200, data: find(call) }),
  },
  {
    id: 'account_settings.get',
    method: 'GET',
    path: '/v1/account_settings/:account_id',
    account: 'ignored',
    body: 'none',
    handle: (call) => ({ status: 200, data: accountSettingsOf(find(call)) }),
  },
]
