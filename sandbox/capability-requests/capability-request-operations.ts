import { z } from 'zod'
import type { AccountEntry } from '@/sandbox/accounts/account-machine'
import { makeInvalidFieldProblem, makeNotFoundProblem } from '@/sandbox/http/problem'
import { makeEnumSchema } from '@/sandbox/http/read-body'
import { makePagingParameters } from '@/sandbox/http/read-query'
import type { ListResult } from '@/sandbox/http/send-response'
import {
  defineArrayOperation,
  definePagedList,
  type Operation,
  type OperationCall,
} from '@/sandbox/operation'
import type { Sandbox } from '@/sandbox/sandbox'
import {
  accountRequestBodySchema,
  capabilityRequestBodySchema,
  type RequestedCapabilityChanges,
} from './capability-request-input'
import { makeCapabilityRequests } from './capability-request-machine'
import {
  type CapabilityRequest,
  capabilityRequestSchema,
  capabilityTypes,
} from './capability-request-store'

const makeAccountProblem = (sentence: string, detail: string) =>
  makeInvalidFieldProblem(sentence, 'account_id', detail)

function findAccountInPath({
  sandbox,
  params,
  account,
}: Pick<OperationCall, 'sandbox' | 'params' | 'account'>): AccountEntry {
  const entry = sandbox.accounts.get(params.account_id ?? '')
  if (!entry || (account !== null && account !== entry.n)) throw makeNotFoundProblem('account')
  return entry
}

function findRequestedAccount(
  { accounts, dialect }: Sandbox,
  headerAccount: number | null,
  bodyAccountId: string | undefined,
): AccountEntry {
  if (bodyAccountId === undefined) {
    const entry = headerAccount === null ? undefined : accounts.at(headerAccount)
    if (!entry)
      throw makeAccountProblem(
        'No account was named.',
        `is required unless ${dialect.account.name} is sent`,
      )
    return entry
  }
  const entry = accounts.get(bodyAccountId)
  if (!entry)
    throw makeAccountProblem('There is no such account.', 'is not an account of this platform')
  if (headerAccount !== null && headerAccount !== entry.n) {
    throw makeAccountProblem(
      `${dialect.account.name} names another account.`,
      `must be the account of ${dialect.account.name}`,
    )
  }
  return entry
}

function createCapabilityRequests(
  call: OperationCall,
  owner: AccountEntry,
  requested: RequestedCapabilityChanges,
): ListResult<CapabilityRequest> {
  const createdRequests = makeCapabilityRequests(call.sandbox, owner, requested, call.now)
  for (const { id, account_id, status } of createdRequests)
    call.effect({ target_id: id, account_id, from: '', to: status })
  return {
    items: createdRequests,
    total: createdRequests.length,
    page: 1,
    size: 100,
    sortBy: 'id',
    sortOrder: 'asc',
  }
}

const capabilityRequestListQuery = z.strictObject({
  ...makePagingParameters(['id', 'created_at']),
  type: makeEnumSchema(capabilityTypes).optional(),
  category: makeEnumSchema(['payment_type', 'customer_type', 'consent_type']).optional(),
  // The provider's filter lacks the statuses `approved` and `reviewing`.
  status: makeEnumSchema(['active', 'inactive', 'in_review', 'rejected']).optional(),
})

const pathWithoutAccount = '/v1/accounts/capability_requests'
const requestsPathWithAccount = '/v1/accounts/:account_id/capability_requests'

type OperationRouteFields = Pick<Operation, 'id' | 'path' | 'summary'>

const defineCreateOperation = <Input extends z.ZodType>(
  traits: OperationRouteFields,
  input: Input,
  handle: (call: OperationCall<unknown, z.infer<Input>>) => ListResult<CapabilityRequest>,
) =>
  defineArrayOperation({
    ...traits,
    method: 'POST',
    account: { saas: 'optional', marketplace: 'optional' },
    status: 201,
    input,
    output: capabilityRequestSchema,
    handle,
  })

const defineListOperation = (
  traits: OperationRouteFields,
  getAccountRowNumber: (call: OperationCall) => number | null,
) =>
  definePagedList(
    {
      ...traits,
      account: { saas: 'optional', marketplace: 'optional' },
      query: capabilityRequestListQuery,
      output: capabilityRequestSchema,
    },
    (call, page) => {
      const columnConditions = (['type', 'category', 'status'] as const).map((column) => ({
        column,
        is: call.query[column],
      }))
      const { total, entries } = call.sandbox.capabilityRequests.page({
        ...page,
        where: columnConditions,
        account: getAccountRowNumber(call),
      })
      return { total, items: entries.map(({ doc }) => doc) }
    },
  )

/**
 * On the documented path, the account is in the header or body. Register these before those of one
 * account: `/v1/accounts/:account_id` also matches the documented path.
 */
export const capabilityRequestOperations: readonly Operation[] = [
  defineCreateOperation(
    {
      id: 'capability_requests.create',
      path: pathWithoutAccount,
      summary: 'Request capabilities or limits for the account in the header or body',
    },
    accountRequestBodySchema,
    (call) => {
      const { account_id, ...requested } = call.input
      return createCapabilityRequests(
        call,
        findRequestedAccount(call.sandbox, call.account, account_id),
        requested,
      )
    },
  ),
  defineListOperation(
    {
      id: 'capability_requests.list',
      path: pathWithoutAccount,
      summary: 'List the capability requests of the account in the header, or of all accounts',
    },
    ({ account }) => account,
  ),
  defineCreateOperation(
    {
      id: 'capability_requests.create_for_account',
      path: requestsPathWithAccount,
      summary: 'Request capabilities or limits for an account',
    },
    capabilityRequestBodySchema,
    (call) => createCapabilityRequests(call, findAccountInPath(call), call.input),
  ),
  defineListOperation(
    {
      id: 'capability_requests.list_for_account',
      path: requestsPathWithAccount,
      summary: 'List the capability requests of an account',
    },
    (call) => findAccountInPath(call).n,
  ),
]
