import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { schemas } from '@/lib/operations/registry'
import { database } from '@/lib/server/store/store'
import { dialect } from './dialect'
import { bankAccountInput, buildCustomerBody, buildPayoutBody, type CreatedObject } from './objects'
import type { Sandbox } from './sandbox'
import { waitUntil } from './wait-until'

/** Sets the environment variables with which the test process itself can read this sandbox. */
export function configureForSandbox(sandbox: Sandbox): void {
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
const listDefinitions = {
  payments: ['/v1/payments?include_metadata=true', schemas['payments.search']],
  customers: ['/v1/customers?', schemas['customers.list']],
  paykeys: ['/v1/paykeys?', schemas['paykeys.list']],
  funding_events: ['/v1/funding_events?', schemas['funding_events.list']],
  accounts: ['/v1/accounts?', schemas['accounts.list']],
  organizations: ['/v1/organizations?', schemas['organizations.list']],
  representatives: ['/v1/representatives?', schemas['representatives.list']],
  linked_bank_accounts: ['/v1/linked_bank_accounts?', schemas['linked_bank_accounts.list']],
} as const
export type ListName = keyof typeof listDefinitions
const names = Object.keys(listDefinitions) as ListName[]

/** Returns all rows of a list at the service, parsed with the list's schema. */
export async function fetchServiceRows(sandbox: Sandbox, name: ListName, account?: string): Promise<ServiceObject[]> {
  const [address, { output }] = listDefinitions[name]
  const rows: unknown[] = []
  for (let page = 1; ; page += 1) {
    const headers: Record<string, string> = { authorization: `Bearer ${sandbox.keys.full}` }
    if (account) headers[dialect.accountHeader] = dialect.accountValue(account)
    const response = await fetch(`${sandbox.url}${address}&page_size=500&page_number=${page}`, { headers })
    const { data } = (await response.json()) as { data: unknown[] }
    rows.push(...data)
    if (data.length < 500) return JSON.parse(JSON.stringify(output.parse(rows))) as ServiceObject[]
  }
}

export async function readMirrorRows(name: ListName): Promise<(ServiceObject & { account: string | null })[]> {
  const { rows } = (await (
    await database()
  ).execute(sql`select object, account_id as account from ${sql.identifier(`mirror_${name}`)}`)) as unknown as {
    rows: { object: ServiceObject; account: string | null }[]
  }
  return rows.map(({ object, account }) => ({ ...object, account }))
}

const compareById = (one: ServiceObject, other: ServiceObject) => (one.id < other.id ? -1 : 1)

const fetchSortedRows = async (sandbox: Sandbox, which: readonly ListName[]) =>
  Promise.all(which.map(async (name) => (await fetchServiceRows(sandbox, name)).sort(compareById)))

/**
 * Compares all fields of all rows of some lists with the mirror. First repeats `pass` (a sync) until the service's lists are equal before
 * and after it.
 */
export async function expectMirrorMatches(
  sandbox: Sandbox,
  pass: () => Promise<unknown>,
  which: readonly ListName[] = names,
): Promise<void> {
  const serviceRows = await waitUntil('a pass while the service stood still', async () => {
    const rowsBefore = await fetchSortedRows(sandbox, which)
    await pass()
    const rowsAfter = await fetchSortedRows(sandbox, which)
    return isDeepStrictEqual(rowsBefore, rowsAfter) ? rowsAfter : null
  })
  for (const [at, name] of which.entries()) {
    const mirrorRows = (await readMirrorRows(name)).map(({ account: _, ...object }) => object as ServiceObject)
    expect(mirrorRows.sort(compareById), name).toEqual(serviceRows[at])
  }
}

/** Checks that the mirror has the right account for each row: the account whose list at the service contains the row. */
export async function expectMirrorAccounts(sandbox: Sandbox, accounts: readonly string[], which: readonly ListName[]): Promise<void> {
  for (const name of which) {
    const accountsById = new Map((await readMirrorRows(name)).map(({ id, account }) => [id, account]))
    for (const account of accounts)
      for (const { id } of await fetchServiceRows(sandbox, name, account)) expect(accountsById.get(id), `${name} ${id}`).toBe(account)
  }
}

/** Sends a request to the service in an account, as a client other than Paydesk. */
export async function sendToService(
  sandbox: Sandbox,
  method: string,
  where: string,
  account: string,
  body?: unknown,
): Promise<CreatedObject> {
  const headers = {
    authorization: `Bearer ${sandbox.keys.full}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
    [dialect.accountHeader]: dialect.accountValue(account),
  }
  const response = await fetch(`${sandbox.url}/v1${where}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${where}: ${response.status} ${text}`)
  return (text === '' ? {} : JSON.parse(text).data) as CreatedObject
}

/** Creates a customer with a bank account and a payout at the service. With `existingCustomer`, creates no customer. */
export async function makeOwnPayout(
  sandbox: Sandbox,
  account: string,
  existingCustomer?: CreatedObject,
): Promise<{ customer: CreatedObject; payout: CreatedObject }> {
  const customer = existingCustomer ?? (await sendToService(sandbox, 'POST', '/customers', account, buildCustomerBody()))
  const paykey = await sendToService(sandbox, 'POST', '/bridge/bank_account', account, bankAccountInput(customer.id))
  const { paykey_id: _, ...body } = buildPayoutBody(paykey.id)
  return { customer, payout: await sendToService(sandbox, 'POST', '/payouts', account, { ...body, paykey: paykey.paykey }) }
}
