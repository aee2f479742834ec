import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { schemasByOperation } from '@/lib/operations/registry'
import { getDatabase } from '@/lib/server/store/store'
import { dialect } from './dialect'
import {
  buildBankAccountInput,
  buildCustomerBody,
  buildPayoutBody,
  type CreatedObject,
} from './objects'
import type { Sandbox } from './sandbox'
import { waitUntil } from './wait-until'

/**
 * Sets the environment variables that the server code needs in the test process to read this
 * sandbox.
 */
export function configureEnvForSandbox(sandbox: Sandbox): void {
  Object.assign(process.env, dialect.settings, {
    SERVICE_SANDBOX_URL: sandbox.url,
    SERVICE_SANDBOX_API_KEY: sandbox.keys.full,
    APP_ORIGIN: 'http://127.0.0.1:3000',
    AUTH_SECRET: 'a-secret-of-this-test-run-0123456789abcdef',
    ENCRYPTION_KEY: 'another-secret-of-this-test-run-0123456789',
    LOG_LEVEL: 'silent',
  })
}

type ServiceObject = { id: string } & Record<string, unknown>
const pathAndSchemaByList = {
  payments: ['/v1/payments?include_metadata=true', schemasByOperation['payments.search']],
  customers: ['/v1/customers?', schemasByOperation['customers.list']],
  paykeys: ['/v1/paykeys?', schemasByOperation['paykeys.list']],
  funding_events: ['/v1/funding_events?', schemasByOperation['funding_events.list']],
  accounts: ['/v1/accounts?', schemasByOperation['accounts.list']],
  organizations: ['/v1/organizations?', schemasByOperation['organizations.list']],
  representatives: ['/v1/representatives?', schemasByOperation['representatives.list']],
  linked_bank_accounts: [
    '/v1/linked_bank_accounts?',
    schemasByOperation['linked_bank_accounts.list'],
  ],
} as const
export type ListName = keyof typeof pathAndSchemaByList
const allListNames = Object.keys(pathAndSchemaByList) as ListName[]

/** Returns all rows of a list at the service, parsed with the list's schema. */
export async function fetchServiceRows(
  sandbox: Sandbox,
  name: ListName,
  account?: string,
): Promise<ServiceObject[]> {
  const [address, { output }] = pathAndSchemaByList[name]
  const fetchedRows: unknown[] = []
  for (let page = 1; ; page += 1) {
    const headers: Record<string, string> = { authorization: `Bearer ${sandbox.keys.full}` }
    if (account) headers[dialect.accountHeader] = dialect.accountValue(account)
    const response = await fetch(`${sandbox.url}${address}&page_size=500&page_number=${page}`, {
      headers,
    })
    const { data } = (await response.json()) as { data: unknown[] }
    fetchedRows.push(...data)
    if (data.length < 500)
      return JSON.parse(JSON.stringify(output.parse(fetchedRows))) as ServiceObject[]
  }
}

export async function readMirrorRows(
  name: ListName,
): Promise<(ServiceObject & { account: string | null })[]> {
  const { rows } = (await (
    await getDatabase()
  ).execute(
    sql`select object, account_id as account from ${sql.identifier(`mirror_${name}`)}`,
  )) as unknown as {
    rows: { object: ServiceObject; account: string | null }[]
  }
  return rows.map(({ object, account }) => ({ ...object, account }))
}

const compareById = (one: ServiceObject, other: ServiceObject) => (one.id < other.id ? -1 : 1)

const fetchSortedRows = async (sandbox: Sandbox, listNames: readonly ListName[]) =>
  Promise.all(
    listNames.map(async (name) => (await fetchServiceRows(sandbox, name)).sort(compareById)),
  )

/**
 * Checks that the mirror (our copy of the service’s lists) contains the same rows as the service,
 * with all fields. Syncs the mirror first, and repeats that until no list at the service changed
 * meanwhile.
 */
export async function expectMirrorMatches(
  sandbox: Sandbox,
  syncMirror: () => Promise<unknown>,
  listNames: readonly ListName[] = allListNames,
): Promise<void> {
  const serviceRows = await waitUntil('a pass while the service stood still', async () => {
    const rowsBefore = await fetchSortedRows(sandbox, listNames)
    await syncMirror()
    const rowsAfter = await fetchSortedRows(sandbox, listNames)
    return isDeepStrictEqual(rowsBefore, rowsAfter) ? rowsAfter : null
  })
  for (const [at, name] of listNames.entries()) {
    const mirrorRows = (await readMirrorRows(name)).map(
      ({ account: _, ...object }) => object as ServiceObject,
    )
    expect(mirrorRows.sort(compareById), name).toEqual(serviceRows[at])
  }
}

/**
 * Checks the account of each row in the mirror. It must be the account whose list at the service
 * contains the row.
 */
export async function expectMirrorRowAccounts(
  sandbox: Sandbox,
  accounts: readonly string[],
  listNames: readonly ListName[],
): Promise<void> {
  for (const name of listNames) {
    const accountByRowId = new Map(
      (await readMirrorRows(name)).map(({ id, account }) => [id, account]),
    )
    for (const account of accounts)
      for (const { id } of await fetchServiceRows(sandbox, name, account))
        expect(accountByRowId.get(id), `${name} ${id}`).toBe(account)
  }
}

/** Sends a request for an account to the service itself, as a client other than Paydesk does. */
export async function sendToService(
  sandbox: Sandbox,
  method: string,
  servicePath: string,
  account: string,
  body?: unknown,
): Promise<CreatedObject> {
  const headers = {
    authorization: `Bearer ${sandbox.keys.full}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
    [dialect.accountHeader]: dialect.accountValue(account),
  }
  const response = await fetch(`${sandbox.url}/v1${servicePath}`, {
    method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const responseText = await response.text()
  if (!response.ok) throw new Error(`${method} ${servicePath}: ${response.status} ${responseText}`)
  return (responseText === '' ? {} : JSON.parse(responseText).data) as CreatedObject
}

/**
 * Creates a customer with a bank account and a payout at the service. Uses `existingCustomer`
 * instead of a new one if it is given.
 */
export async function makePayoutWithCustomer(
  sandbox: Sandbox,
  account: string,
  existingCustomer?: CreatedObject,
): Promise<{ customer: CreatedObject; payout: CreatedObject }> {
  const customer =
    existingCustomer ??
    (await sendToService(sandbox, 'POST', '/customers', account, buildCustomerBody()))
  const paykey = await sendToService(
    sandbox,
    'POST',
    '/bridge/bank_account',
    account,
    buildBankAccountInput(customer.id),
  )
  const { paykey_id: _, ...body } = buildPayoutBody(paykey.id)
  return {
    customer,
    payout: await sendToService(sandbox, 'POST', '/payouts', account, {
      ...body,
      paykey: paykey.paykey,
    }),
  }
}
