import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { DeletionCertificate, DeletionView } from '@/lib/operations/deletion'
import {
  buildCustomerBody,
  type CreatedObject,
  createObjectViaDesk,
  listActiveAccounts,
} from './objects'
import { createIdempotencyKey, type Person, signIn } from './person'
import type { Sandbox } from './sandbox'
import { completeStepUp, testPersonPassword } from './step-up'
import type { WholeDesk } from './whole-desk'

export const deletionReason = 'DATA_SUBJECT_REQUEST: asked for by the person, and checked'

export type IssuedCertificate = { certificate: DeletionCertificate; sha256: string }
export type DeletionDesk = Awaited<ReturnType<typeof startDeletionDesk>>

export const postJson = <T = DeletionView>(
  person: Person,
  path: string,
  body: unknown = {},
  headers: Record<string, string> = {},
) =>
  person.post<T>(path, {
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

/** A customer whose deletion was requested. `account` has the form `acct_…`. */
export type CustomerToDelete = { id: string; account: string }

/**
 * Creates a customer, a note and a saved view about them, and requests their deletion. Allows
 * unmasked data in the account first, because a deletion requires that.
 */
export async function createCustomerToDelete(
  sandbox: Sandbox,
  operator: Person,
  customerName: string,
): Promise<CustomerToDelete> {
  const [first = ''] = await listActiveAccounts(operator)
  const account = `acct_${first}`
  await sandbox.configure(first, { allow_data_unmask: true })
  const { made } = await createObjectViaDesk(operator, `/customers?account=${account}`, {
    ...buildCustomerBody(),
    name: customerName,
  })
  await operator.get(`/api/sandbox/v1/customers/${made.id}?account=${account}`)
  const noteBody = { note: randomUUID(), text: `${customerName} called about this` }
  expect(
    (await postJson(operator, `/api/sandbox/desk/notes/customers/${made.id}`, noteBody)).status,
  ).toBe(201)
  const savedViewBody = {
    list: 'customers',
    name: `About ${customerName}`,
    search: `search_text=${encodeURIComponent(customerName)}`,
    shared: false,
  }
  expect((await postJson(operator, '/api/sandbox/desk/views', savedViewBody)).status).toBe(200)
  const requestFields = {
    id: randomUUID(),
    account,
    customer_id: made.id,
    asker: 'DATA_SUBJECT_REQUEST',
    basis: 'GDPR_17_1_B',
  }
  const response = await postJson(operator, '/api/sandbox/desk/deletions', {
    ...requestFields,
    identity_check: 'SIGNED_IN',
    ticket: 'PRIV-7',
  })
  expect(response.status).toBe(201)
  return { id: made.id, account }
}

const buildDeletionRequest = (
  account: string,
  customerId: string,
  overrides: Record<string, unknown> = {},
) => ({
  id: randomUUID(),
  account,
  customer_id: customerId,
  asker: 'DATA_SUBJECT_REQUEST',
  basis: 'GDPR_17_1_B',
  identity_check: 'SIGNED_IN',
  ticket: 'PRIV-1234',
  due_on: '2026-12-24',
  ...overrides,
})

const sendDeletion = (
  person: Person,
  { id, account }: CustomerToDelete,
  key: string,
  headers: Record<string, string> = {},
) =>
  person.write<CreatedObject>(
    'DELETE',
    `/customers/${id}?account=${account}`,
    {},
    { reason: deletionReason, key, headers },
  )

/**
 * Completes the step-up (the second confirmation of the person) for a deletion in a separate
 * session. Returns a function that sends the deletion.
 */
async function prepareConfirmedDeletion(deskUrl: string, customer: CustomerToDelete) {
  const separateSession = await signIn(deskUrl, 'reviewer', { confirms: false })
  const idempotencyKey = createIdempotencyKey()
  const { body } = await sendDeletion(separateSession, customer, idempotencyKey)
  const challenge = body.error?.step_up?.challenge ?? ''
  expect(
    (
      await completeStepUp(separateSession, challenge, {
        method: 'password',
        password: testPersonPassword,
      })
    ).status,
  ).toBe(200)
  return () => sendDeletion(separateSession, customer, idempotencyKey, { 'step-up': challenge })
}

/**
 * Prepares a running Paydesk for deletions: allows unmasked data in one account, and signs in a
 * reviewer. Returns it with functions that request, send and check deletions.
 */
export async function startDeletionDesk(testStack: WholeDesk) {
  const { sandbox, db, operator } = testStack
  const reviewer = await signIn(testStack.dashboard.url, 'reviewer')
  const [first = '', elsewhere = ''] = await listActiveAccounts(operator)
  const account = `acct_${first}`
  await sandbox.configure(first, { allow_data_unmask: true })

  return {
    ...testStack,
    reviewer,
    account,
    elsewhere,
    requestOf: (customerId: string, overrides: Record<string, unknown> = {}) =>
      buildDeletionRequest(account, customerId, overrides),
    newCustomer: async (overrides: Record<string, unknown> = {}): Promise<CreatedObject> =>
      (
        await createObjectViaDesk(operator, `/customers?account=${account}`, {
          ...buildCustomerBody(),
          ...overrides,
        })
      ).made,
    /** Requests the deletion of a customer. Returns the id of the request. */
    ask: async (customerId: string): Promise<string> => {
      const requestReply = await postJson(
        operator,
        '/api/sandbox/desk/deletions',
        buildDeletionRequest(account, customerId),
      )
      expect(requestReply.status).toBe(201)
      return requestReply.body.data?.id ?? ''
    },
    erase: (customerId: string, key = createIdempotencyKey()) =>
      sendDeletion(reviewer, { id: customerId, account }, key),
    provenErase: (customerId: string) =>
      prepareConfirmedDeletion(testStack.dashboard.url, { id: customerId, account }),
    sentFor: async (customerId: string) =>
      (await sandbox.requests()).filter(
        (row) => row.method === 'DELETE' && row.path.includes(customerId),
      ),
    stateOf: async (id: string) =>
      (await db.query('select state from deletions where id = $1', [id])).rows[0]?.state as string,
    certificateOf: async (id: string): Promise<IssuedCertificate> => {
      const response = await reviewer.send(`/api/sandbox/desk/deletions/${id}/certificate`)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-disposition')).toContain(`deletion-${id}.json`)
      return (await response.json()) as IssuedCertificate
    },
  }
}
