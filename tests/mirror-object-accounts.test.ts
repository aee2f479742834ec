import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { schemasByOperation } from '@/lib/operations/registry'
import { lookUpAccount, storeObjectAccounts } from '@/lib/server/mirror/object-accounts'
import { upsertObjects } from '@/lib/server/mirror/upsert-objects'
import {
  buildCustomerFields,
  buildPaymentSummary,
  buildUpsertOptions,
  environment,
  firstTime,
  readMirrorRow,
  secondTime,
  thirdTime,
  upsertListedPayments,
} from './harness/mirror-payments'
import { openTestStore } from './harness/own-store'
import { storeKinds } from './harness/store-kinds'

const storeCustomer = (id: string, account: string) =>
  upsertObjects({
    ...buildUpsertOptions({ account }),
    resource: 'customers',
    objects: schemasByOperation['customers.list'].output.parse([
      { id, name: 'Ana', status: 'verified', updated_at: firstTime },
    ]),
  })

describe.each(storeKinds)('on %s', (kind) => {
  let closeStore: () => Promise<void>
  beforeAll(async () => {
    closeStore = await openTestStore(kind)
  })
  afterAll(() => closeStore?.())
  afterEach(() => {
    delete process.env.SERVICE_SANDBOX_INTEGRATION
  })

  test('stores a known account permanently, from the call, a write or the customer', async () => {
    const [account, otherAccount] = [randomUUID(), randomUUID()]
    const [scopedPaymentId, writtenPaymentId, customerPaymentId, customerId] = [
      randomUUID(),
      randomUUID(),
      randomUUID(),
      randomUUID(),
    ]
    await upsertListedPayments([buildPaymentSummary(scopedPaymentId)], { account })
    await upsertListedPayments([buildPaymentSummary(scopedPaymentId, { updated_at: secondTime })], {
      seenAt: new Date(secondTime),
    })
    expect(await readMirrorRow(scopedPaymentId)).toMatchObject({ account_id: account })

    await upsertListedPayments([buildPaymentSummary(writtenPaymentId, { updated_at: thirdTime })], {
      seenAt: new Date(thirdTime),
    })
    await storeObjectAccounts(environment, [`payouts/${writtenPaymentId}`], otherAccount)
    expect(await upsertListedPayments([buildPaymentSummary(writtenPaymentId)])).toEqual([])
    expect(await readMirrorRow(writtenPaymentId)).toMatchObject({
      account_id: otherAccount,
      object: { updated_at: thirdTime },
    })

    await storeCustomer(customerId, account)
    await upsertListedPayments([
      buildPaymentSummary(customerPaymentId, { customer_details: buildCustomerFields(customerId) }),
    ])
    expect(await readMirrorRow(customerPaymentId)).toMatchObject({ account_id: account })
  })

  test('in a marketplace, a customer gives no account to a payment, and a write gives none to a customer', async () => {
    const [account, paymentId, customerId] = [randomUUID(), randomUUID(), randomUUID()]
    await storeCustomer(customerId, account)
    process.env.SERVICE_SANDBOX_INTEGRATION = 'marketplace'
    await upsertListedPayments([
      buildPaymentSummary(paymentId, { customer_details: buildCustomerFields(customerId) }),
    ])
    expect(await readMirrorRow(paymentId)).toMatchObject({ account_id: null })
    const otherCustomer = `customers/${randomUUID()}`
    await storeObjectAccounts(environment, [otherCustomer, `payouts/${paymentId}`], account)
    expect(await lookUpAccount(environment, otherCustomer)).toBe(null)
    expect(await readMirrorRow(paymentId)).toMatchObject({ account_id: account })
  })

  test('an account named by the object itself overrides the account of the call', async () => {
    const [account, other, linkedBankAccountId, platformBankAccountId] = [
      randomUUID(),
      randomUUID(),
      randomUUID(),
      randomUUID(),
    ]
    const linkedBankAccounts = [
      { id: linkedBankAccountId, account_id: account },
      { id: platformBankAccountId },
    ].map((sent) => schemasByOperation['linked_bank_accounts.get'].output.parse(sent))
    await upsertObjects({
      ...buildUpsertOptions({ account: other }),
      resource: 'linked_bank_accounts',
      objects: linkedBankAccounts,
    })
    expect(await readMirrorRow(linkedBankAccountId, 'mirror_linked_bank_accounts')).toMatchObject({
      account_id: account,
    })
    expect(await readMirrorRow(platformBankAccountId, 'mirror_linked_bank_accounts')).toMatchObject(
      { account_id: null },
    )
  })
})
