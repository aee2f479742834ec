import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { DeletionCertificate, DeletionView } from '@/lib/operations/deletion'
import { buildCustomerBody, type CreatedObject, createViaDesk, listActiveAccounts } from './objects'
import { newKey, type Person, signIn } from './person'
import type { Sandbox } from './sandbox'
import { completeStepUp, password } from './step-up'
import type { WholeDesk } from './whole-desk'

export const deletionReason = 'DATA_SUBJECT_REQUEST: asked for by the person, and checked'

export type IssuedCertificate = { certificate: DeletionCertificate; sha256: string }
export type DeletionDesk = Awaited<ReturnType<typeof startDeletionDesk>>

/** Sends a POST with a JSON body to our API. */
export const postJson = <T = DeletionView>(person: Person, path: string, body: unknown = {}, headers: Record<string, string> = {}) =>
  person.post<T>(path, { headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })

/** A customer whose deletion was requested. */
export type CustomerToDelete = { id: string; account: string }

/** Creates a customer with a note and a saved view about them, in an account that allows unmasked data, and requests the deletion. */
export async function requestDeletion(sandbox: Sandbox, operator: Person, name: string): Promise<CustomerToDelete> {
  const [first = ''] = await listActiveAccounts(operator)
  const account = `acct_${first}`
  await sandbox.configure(first, { allow_data_unmask: true })
  const { made } = await createViaDesk(operator, `/customers?account=${account}`, { ...buildCustomerBody(), name })
  await operator.get(`/api/sandbox/v1/customers/${made.id}?account=${account}`)
  const noteBody = { note: randomUUID(), text: `${name} called about this` }
  expect((await postJson(operator, `/api/sandbox/desk/notes/customers/${made.id}`, noteBody)).status).toBe(201)
  const viewBody = { list: 'customers', name: `About ${name}`, search: `search_text=${encodeURIComponent(name)}`, shared: false }
  expect((await postJson(operator, '/api/sandbox/desk/views', viewBody)).status).toBe(200)
  const request = { id: randomUUID(), account, customer_id: made.id, asker: 'DATA_SUBJECT_REQUEST', basis: 'GDPR_17_1_B' }
  const response = await postJson(operator, '/api/sandbox/desk/deletions', { ...request, identity_check: 'SIGNED_IN', ticket: 'PRIV-7' })
  expect(response.status).toBe(201)
  return { id: made.id, account }
}

/** Adds to a desk what a deletion requires: an account that allows unmasked data, an operator who requests, and a reviewer who deletes. */
export async function startDeletionDesk(desk: WholeDesk) {
  const { sandbox, db, operator } = desk
  const reviewer = await signIn(desk.dashboard.url, 'reviewer')
  const [first = '', elsewhere = ''] = await listActiveAccounts(operator)
  const account = `acct_${first}`
  await sandbox.configure(first, { allow_data_unmask: true })

  const requestOf = (customerId: string, more: Record<string, unknown> = {}) => ({
    id: randomUUID(),
    account,
    customer_id: customerId,
    asker: 'DATA_SUBJECT_REQUEST',
    basis: 'GDPR_17_1_B',
    identity_check: 'SIGNED_IN',
    ticket: 'PRIV-1234',
    due_on: '2026-12-24',
    ...more,
  })

  return {
    ...desk,
    reviewer,
    account,
    elsewhere,
    requestOf,
    newCustomer: async (more: Record<string, unknown> = {}): Promise<CreatedObject> =>
      (await createViaDesk(operator, `/customers?account=${account}`, { ...buildCustomerBody(), ...more })).made,
    /** Requests the deletion of a customer. Returns the id of the request. */
    ask: async (customerId: string): Promise<string> => {
      const reply = await postJson(operator, '/api/sandbox/desk/deletions', requestOf(customerId))
      expect(reply.status).toBe(201)
      return reply.body.data?.id ?? ''
    },
    erase: (customerId: string, key = newKey()) =>
      reviewer.write<CreatedObject>('DELETE', `/customers/${customerId}?account=${account}`, {}, { reason: deletionReason, key }),
    /** Completes the step-up for a deletion in a separate session. Returns a function that sends the deletion. */
    provenErase: async (customerId: string) => {
      const separateSession = await signIn(desk.dashboard.url, 'reviewer', { confirms: false })
      const idempotencyKey = newKey()
      const send = (headers: Record<string, string> = {}) =>
        separateSession.write<CreatedObject>(
          'DELETE',
          `/customers/${customerId}?account=${account}`,
          {},
          { reason: deletionReason, key: idempotencyKey, headers },
        )
      const challenge = (await send()).body.error?.step_up?.challenge ?? ''
      expect((await completeStepUp(separateSession, challenge, { method: 'password', password })).status).toBe(200)
      return () => send({ 'step-up': challenge })
    },
    sentFor: async (customerId: string) =>
      (await sandbox.requests()).filter((row) => row.method === 'DELETE' && row.path.includes(customerId)),
    stateOf: async (id: string) => (await db.query('select state from deletions where id = $1', [id])).rows[0]?.state as string,
    certificateOf: async (id: string): Promise<IssuedCertificate> => {
      const response = await reviewer.send(`/api/sandbox/desk/deletions/${id}/certificate`)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-disposition')).toContain(`deletion-${id}.json`)
      return (await response.json()) as IssuedCertificate
    },
  }
}
