import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import type { Person, Reply, WriteOptions } from './person'

export type CreatedObject = Record<string, unknown> & { id: string; status: string }

const toDateInDays = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** Returns the body of a request that creates a customer, with a unique email address. */
export const buildCustomerBody = (outcome = 'verified') => ({
  name: 'Amara Okafor',
  type: 'individual',
  email: `amara.${randomUUID().slice(0, 8)}@example.org`,
  phone: '+15125550123',
  device: { ip_address: '198.51.100.23' },
  config: { sandbox_outcome: outcome },
})

export const buildBankAccountInput = (customerId: string, outcome = 'active') => ({
  customer_id: customerId,
  routing_number: '021000021',
  account_number: String(Math.floor(Math.random() * 9e11) + 1e11),
  account_type: 'checking',
  config: { sandbox_outcome: outcome },
})

/** Returns the body of a request that creates a payout, with a unique reference. */
export const buildPayoutBody = (paykeyId: string, overrides: Record<string, unknown> = {}) => ({
  paykey_id: paykeyId,
  amount: 12_500,
  currency: 'USD',
  description: 'Weekly settlement',
  payment_date: toDateInDays(3),
  device: { ip_address: '0.0.0.0' },
  external_id: `ref-${randomUUID()}`,
  ...overrides,
})

export const buildRepresentativeBody = (accountId: string) => ({
  account_id: accountId,
  first_name: 'Nadia',
  last_name: 'Haddad',
  dob: '1984-03-09',
  ssn_last4: '4321',
  email: 'nadia.haddad@example.com',
  mobile_number: '+15125550144',
  relationship: { primary: false, control: true, owner: false },
})

/** Creates an object through the desk. Throws if the status is not 201. */
export async function createObjectViaDesk(
  person: Person,
  apiPath: string,
  body: unknown,
  options: WriteOptions = {},
): Promise<Reply<CreatedObject> & { made: CreatedObject }> {
  const creationReply = await person.write<CreatedObject>('POST', apiPath, body, options)
  if (creationReply.status !== 201 || !creationReply.body.data)
    throw new Error(
      `POST ${apiPath}: ${creationReply.status} ${JSON.stringify(creationReply.body.error)}`,
    )
  return { ...creationReply, made: creationReply.body.data }
}

/**
 * Creates a customer with a connected bank account through the desk. `account` has the form
 * `acct_…`.
 */
export async function makePaykey(
  person: Person,
  account: string,
  outcome = 'active',
): Promise<{ customer: CreatedObject; paykey: CreatedObject }> {
  const { made: customer } = await createObjectViaDesk(
    person,
    `/customers?account=${account}`,
    buildCustomerBody(),
  )
  const { made: paykey } = await createObjectViaDesk(
    person,
    `/bridge/bank_account?account=${account}`,
    buildBankAccountInput(customer.id, outcome),
  )
  return { customer, paykey }
}

/** Returns the active accounts of the service, as bare ids. */
export async function listActiveAccounts(person: Person): Promise<string[]> {
  const { body } = await person.get<CreatedObject[]>(
    '/api/sandbox/v1/accounts?status=active&page_size=100',
  )
  return (body.data ?? []).map((account) => account.id)
}

/**
 * Adds a person with one role in a single account. The password is the same as that of the demo
 * people.
 */
export async function addLimitedPerson(
  db: Client,
  email: string,
  role: string,
  accountId: string,
): Promise<void> {
  await db.query(
    `with person as (
       insert into people (email, name, password_hash, demo)
       select $1, 'Lea Limited', password_hash, true from people where email = 'operator@paydesk.test' returning id)
     insert into grants (person_id, role, environment, account_id) select id, $2, 'sandbox', $3::uuid from person`,
    [email, role, accountId],
  )
}

/** Returns the audit rows with this event code, oldest first. */
export async function readAuditRows(db: Client, code: string): Promise<Record<string, unknown>[]> {
  const { rows } = await db.query(
    `select body::json as body from audit where body::json ->> 'code' = $1 order by seq`,
    [code],
  )
  return rows.map((row) => row.body as Record<string, unknown>)
}

export async function dumpDatabase(db: Client): Promise<string> {
  const tables = await db.query(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  )
  const tableRows: unknown[][] = []
  for (const { name } of tables.rows)
    tableRows.push((await db.query(`select t::text as row from "${name}" t`)).rows)
  return JSON.stringify(tableRows)
}
