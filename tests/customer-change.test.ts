import type { Client } from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { findLeakedWords } from './harness/leaks'
import {
  buildCustomerBody,
  createObjectViaDesk,
  dumpDatabase,
  listActiveAccounts,
} from './harness/objects'
import { createIdempotencyKey, goodReason, type Person } from './harness/person'
import type { Sandbox } from './harness/sandbox'
import { openSharedDesk } from './harness/shared-desk'
import type { WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let sandbox: Sandbox
let db: Client
let operator: Person
let unmaskedAccount: string
let maskedAccount: string

beforeAll(async () => {
  testStack = await openSharedDesk()
  ;({ sandbox, db, operator } = testStack)
  const [first = '', second = ''] = await listActiveAccounts(operator)
  await sandbox.configure(first, { allow_data_unmask: true })
  await sandbox.configure(second, { allow_data_unmask: false })
  ;[unmaskedAccount, maskedAccount] = [`acct_${first}`, `acct_${second}`]
})
afterEach(() => sandbox.clearFaults())
afterAll(() => testStack?.stop())

const changeCustomer = (
  id: string,
  account: string,
  moreFields: Record<string, unknown> = {},
  key = createIdempotencyKey(),
) =>
  operator.write(
    'PUT',
    `/customers/${id}?account=${account}`,
    { name: 'Amara Obi', status: 'verified', ...moreFields },
    { key, reason: goodReason },
  )

const countSentUpdates = async (id: string) =>
  (await sandbox.journal(id)).filter(({ operation }) => operation === 'customers.update').length

type UnmaskedCustomer = {
  name: string
  email: string
  phone: string
  device: { ip_address: string }
}

test('omitted fields keep their values, which appear in no response, row or log', async () => {
  const body = buildCustomerBody()
  const { made } = await createObjectViaDesk(
    operator,
    `/customers?account=${unmaskedAccount}`,
    body,
  )
  const idempotencyKey = createIdempotencyKey()
  const reply = await changeCustomer(
    made.id,
    unmaskedAccount,
    { phone: '+15125550188' },
    idempotencyKey,
  )
  expect(reply.status).toBe(200)
  expect(
    await changeCustomer(made.id, unmaskedAccount, { phone: '+15125550188' }, idempotencyKey),
  ).toMatchObject({
    status: 200,
    replayed: true,
  })
  expect(await countSentUpdates(made.id)).toBe(1)
  const responseStoreAndLogText = JSON.stringify([
    reply.body,
    [...reply.headers],
    await dumpDatabase(db),
    testStack.dashboard.log(),
  ])
  expect(findLeakedWords(responseStoreAndLogText, [body.email, body.device.ip_address])).toEqual([])
  const revealReply = await operator.reveal<UnmaskedCustomer>(
    `/customers/${made.id}/unmasked?account=${unmaskedAccount}`,
    goodReason,
  )
  expect(revealReply.body.data).toMatchObject({
    name: 'Amara Obi',
    email: body.email,
    phone: '+15125550188',
    device: body.device,
  })
})

test('if the account does not allow unmasking, missing fields are named and nothing is sent', async () => {
  const { made } = await createObjectViaDesk(
    operator,
    `/customers?account=${maskedAccount}`,
    buildCustomerBody(),
  )
  const reply = await changeCustomer(made.id, maskedAccount, { phone: '+15125550188' })
  expect(reply).toMatchObject({ status: 422, body: { error: { code: 'invalid_input' } } })
  expect(reply.body.error?.items?.map(({ reference }) => reference)).toEqual(['email', 'device'])
  expect(await countSentUpdates(made.id)).toBe(0)
  const { email, phone, device } = buildCustomerBody()
  expect(await changeCustomer(made.id, maskedAccount, { email, phone, device })).toMatchObject({
    status: 200,
  })
})

test('a failed read sends nothing and returns not_sent', async () => {
  const { made } = await createObjectViaDesk(
    operator,
    `/customers?account=${unmaskedAccount}`,
    buildCustomerBody(),
  )
  await sandbox.fault({
    operation: 'customers.unmask',
    match: made.id,
    kind: 'status',
    status: 500,
    body: 'none',
    count: null,
  })
  expect(await changeCustomer(made.id, unmaskedAccount)).toMatchObject({
    status: 503,
    body: { error: { code: 'not_sent' } },
  })
  expect(await countSentUpdates(made.id)).toBe(0)
  expect(
    (await db.query('select 1 from actions where target = $1', [`customers/${made.id}`])).rowCount,
  ).toBe(1)
})
