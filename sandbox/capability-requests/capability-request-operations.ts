import { z } from 'zod'
import type { AccountEntry } from '@/sandbox/accounts/account-machine'
import { invalidField, notFound } from '@/sandbox/http/problem'
import { enumField } from '@/sandbox/http/read-body'
import { paging } from '@/sandbox/http/read-query'
import type { ListResult } from '@/sandbox/http/send-response'
import { type Call, listOperation, type Operation, pagedList } from '@/sandbox/operation'
import type { Sandbox } from '@/sandbox/sandbox'
import { type RequestedChanges, requestBody, requestBodyWithAccount } from './capability-request-input'
import { makeCapabilityRequests } from './capability-request-machine'
import { type CapabilityRequest, capabilityRequest, capabilityTypes } from './capability-request-store'

const makeAccountProblem = (sentence: string, detail: string) => invalidField(sentence, 'account_id', detail)

function findPathAccount({ sandbox, params, account }: Pick<Call, 'sandbox' | 'params' | 'account'>): AccountEntry {
  const entry = sandbox.accounts.get(params.account_id ?? '')
  if (!entry || (account !== null && account !== entry.n)) throw notFound('account')
  return entry
}

function findRequestedAccount({ accounts, dialect }: Sandbox, header: number | null, named: string | undefined): AccountEntry {
  if (named === undefined) {
    const entry = header === null ? undefined : accounts.at(header)
    if (!entry) throw makeAccountProblem('No account was named.', `is required unless ${dialect.account.name} is sent`)
    return entry
  }
  const entry = accounts.get(named)
  if (!entry) throw makeAccountProblem('There is no such account.', 'is not an account of this platform')
  if (header !== null && header !== entry.n) {
    throw makeAccountProblem(`${dialect.account.name} names another account.`, `must be the account of ${dialect.account.name}`)
  }
  return entry
}

function createRequests(call: Call, owner: AccountEntry, requested: RequestedChanges): ListResult<CapabilityRequest> {
  const items = makeCapabilityRequests(call.sandbox, owner, requested, call.now)
  for (const { id, account_id, status } of items) call.effect({ target_id: id, account_id, from: '', to: status })
  return { items, total: items.length, page: 1, size: 100, sortBy: 'id', sortOrder: 'asc' }
}

const listQuery = z.strictObject({
  ...paging(['id', 'created_at']),
  type: enumField(capabilityTypes).optional(),
  category: enumField(['payment_type', 'customer_type', 'consent_type']).optional(),
  // The provider's filter accepts these four. `approved` and `reviewing` are temporary and exist only in the sandbox.
  status: enumField(['active', 'inactive', 'in_review', 'rejected']).optional(),
})

const fixedPath = '/v1/accounts/capability_requests'
const pathWithAccount = '/v1/accounts/:account_id/capability_requests'

type RouteTraits = Pick<Operation, 'id' | 'path' | 'summary'>

const requestCreateOperation = <Input extends z.ZodType>(
  traits: RouteTraits,
  input: Input,
  handle: (call: Call<unknown, z.infer<Input>>) => ListResult<CapabilityRequest>,
) => listOperation({ ...traits, method: 'POST', account: 'optional', status: 201, input, output: capabilityRequest, handle })

const list = (traits: RouteTraits, accountOf: (call: Call) => number | null) =>
  pagedList({ ...traits, account: 'optional', query: listQuery, output: capabilityRequest }, (call, page) => {
    const columnConditions = (['type', 'category', 'status'] as const).map((column) => ({ column, is: call.query[column] }))
    const { total, entries } = call.sandbox.capabilityRequests.page({ ...page, where: columnConditions, account: accountOf(call) })
    return { total, items: entries.map(({ doc }) => doc) }
  })

/**
 * Creates and lists capability requests on two paths: the interface document's (account in the header or body) and the provider's (account
 * in the path). Must be registered before the operations on one account, whose path would also match the first one.
 */
export const capabilityRequestOperations: readonly Operation[] = [
  requestCreateOperation(
    {
      id: 'capability_requests.create',
      path: fixedPath,
      summary: 'Request capabilities or limits for the account in the header or body',
    },
    requestBodyWithAccount,
    (call) => {
      const { account_id, ...requested } = call.input
      return createRequests(call, findRequestedAccount(call.sandbox, call.account, account_id), requested)
    },
  ),
  list(
    {
      id: 'capability_requests.list',
      path: fixedPath,
      summary: 'List the capability requests of the account in the header, or of all accounts',
    },
    ({ account }) => account,
  ),
  requestCreateOperation(
    { id: 'capability_requests.create_for_account', path: pathWithAccount, summary: 'Request capabilities or limits for an account' },
    requestBody,
    (call) => createRequests(call, findPathAccount(call), call.input),
  ),
  list(
    { id: 'capability_requests.list_for_account', path: pathWithAccount, summary: 'List the capability requests of an account' },
    (call) => findPathAccount(call).n,
  ),
]
