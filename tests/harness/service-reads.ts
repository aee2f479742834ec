import { expect } from 'vitest'
import { toRequestParts } from '@/lib/operations/http'
import { getSchemas } from '@/lib/operations/registry'
import {
  getAccountHeaderRule,
  getServiceOperation,
  type ServiceOperationId,
} from '@/lib/operations/service-operations'
import { dialect } from './dialect'
import { hasAccountInPath, toServicePath } from './openapi-document'
import type { Sandbox } from './sandbox'

type ServiceResponse = { data: unknown }
type ListedObject = { id: string; account_id?: string; payment_type?: string }

/**
 * Sends a read to the service itself, and returns the data of its response. The account is sent only
 * if the kind of integration allows its header.
 */
export async function callService<T>(
  sandbox: Sandbox,
  id: ServiceOperationId,
  input: Record<string, unknown>,
  account?: string,
): Promise<T> {
  const { path, query } = toRequestParts(
    id,
    getSchemas(id).input.parse(input) as Record<string, unknown>,
  )
  const headers: Record<string, string> = { authorization: `Bearer ${sandbox.keys.full}` }
  const servicePath = getServiceOperation(id).configuredPath
    ? toServicePath(id).replace(':id', account ?? '')
    : `/v1${path}`
  const isHeaderAllowed = getAccountHeaderRule(id, sandbox.integration) !== 'forbidden'
  if (account && isHeaderAllowed && !hasAccountInPath(id))
    headers[dialect.accountHeader] = dialect.accountValue(account)
  const response = await fetch(`${sandbox.url}${servicePath}?${query}`, { headers })
  const responseBody = (await response.json()) as ServiceResponse
  expect({ id, status: response.status, answer: response.ok ? null : responseBody }).toEqual({
    id,
    status: 200,
    answer: null,
  })
  return responseBody.data as T
}

/** Returns an account that has payouts and whose settings allow unmasked data. */
export async function findUnmaskedAccount(sandbox: Sandbox): Promise<string> {
  const accounts = await callService<ListedObject[]>(sandbox, 'accounts.list', {})
  for (const { id } of accounts) {
    const accountSettings = await callService<{ configuration: { allow_data_unmask: boolean } }>(
      sandbox,
      'account_settings.get',
      { id },
    )
    const recentPayouts = await callService<ListedObject[]>(
      sandbox,
      'payments.search',
      { payment_type: 'payout' },
      id,
    )
    if (accountSettings.configuration.allow_data_unmask && recentPayouts.length > 0) return id
  }
  throw new Error('no seeded account allows unmasking')
}

/**
 * For each resource without a list operation of its own, the list operation and the filter that
 * return its objects.
 */
const listOperationByResource: Record<string, [ServiceOperationId, Record<string, unknown>]> = {
  charges: ['payments.search', { payment_type: 'charge' }],
  payouts: ['payments.search', { payment_type: 'payout' }],
}

const inputsByOperation: Partial<Record<ServiceOperationId, Record<string, unknown>>> = {
  'customers.by_email': { email: 'nobody@example.com' },
  'payments.search': { include_metadata: true },
}

/** Returns an input for a read operation. An id in it is that of an object in the account. */
export async function findReadInput(
  sandbox: Sandbox,
  id: ServiceOperationId,
  account: string,
): Promise<Record<string, unknown>> {
  if (!getServiceOperation(id).path.includes(':id')) return inputsByOperation[id] ?? {}
  const resource = id.slice(0, id.indexOf('.'))
  if (resource === 'accounts' || resource === 'account_settings') return { id: account }
  const accountInput =
    resource === 'representatives' || resource === 'linked_bank_accounts'
      ? { account_id: account }
      : {}
  const [list, input] = listOperationByResource[resource] ?? [
    `${resource}.list` as ServiceOperationId,
    accountInput,
  ]
  const [first] = await callService<ListedObject[]>(sandbox, list, input, account)
  if (!first) throw new Error(`nothing seeded for ${id}`)
  return { id: first.id }
}
