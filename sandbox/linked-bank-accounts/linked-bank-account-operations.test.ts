import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { platformId } from '@/sandbox/organizations/organization-store'
import {
  type LinkedBankAccount,
  readAccountSettings,
  readLinkedBankAccount,
} from '@/tests/sandbox/linked-bank-accounts'
import {
  bankAccountFields,
  createLinkedBankAccount,
  makeAccount,
  readEventSummary,
  type ServiceObject,
} from '@/tests/sandbox/make-account'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'
import { linkedBankAccountStatuses } from './linked-bank-account-store'

const { client } = startSandboxPerFile()

const listLinkedBankAccounts = async (query: string) =>
  (await client().ask(`/v1/linked_bank_accounts?page_size=1000&${query}`)).json
    .data as LinkedBankAccount[]
const readPayoutBankAccountId = async (accountId: string) =>
  (await readAccountSettings(client(), accountId)).payouts?.linked_bank_account_id
const unmaskLinkedBankAccount = async (id: string) =>
  (await client().ask(`/v1/linked_bank_accounts/${id}/unmask`)).json.data as LinkedBankAccount

describe('creating', () => {
  test('returns a linked bank account with the last four digits of its number', async () => {
    const account = await makeAccount(client())
    const linkedBankAccount = await createLinkedBankAccount(client(), account.id, {
      description: 'Operating',
      metadata: { branch: '7' },
    })
    expect(linkedBankAccount).toEqual({
      ...{ id: expect.any(String), account_id: account.id, platform_id: null, status: 'created' },
      status_detail: {
        reason: 'unverified',
        source: 'watchtower',
        code: '',
        message: expect.any(String),
      },
      bank_account: {
        ...{ institution_name: 'JPMORGAN CHASE BANK, NA', account_holder: 'Sable & Finch Bakery' },
        ...{ routing_number: '021000021', account_mask: '7890' },
      },
      ...{
        purposes: ['charges', 'payouts', 'billing'],
        description: 'Operating',
        metadata: { branch: '7' },
      },
      ...{ created_at: expect.any(String), updated_at: expect.any(String) },
    })
    expect(await readLinkedBankAccount(client(), linkedBankAccount.id)).toEqual(linkedBankAccount)
    expect(await client().effects(linkedBankAccount.id)).toMatchObject([
      { operation: 'linked_bank_accounts.create', account_id: account.id, to: 'created' },
    ])
    const { types, last } = await readEventSummary(client(), linkedBankAccount.id)
    expect(types).toEqual(['linked_bank_account.created.v1', 'linked_bank_account.event.v1'])
    expect(last).toMatchObject({ account_id: account.id, data: linkedBankAccount })
    expect(JSON.stringify(last)).not.toContain(bankAccountFields.account_number)
  })

  test('without an account returns one of the platform', async () => {
    const platformBankAccount = await createLinkedBankAccount(client(), null, {
      purposes: ['charges'],
      platform_id: platformId,
    })
    expect(platformBankAccount).toMatchObject({ account_id: null, platform_id: platformId })
    expect((await readEventSummary(client(), platformBankAccount.id)).last).toMatchObject({
      account_id: platformId,
    })
    expect(await unmaskLinkedBankAccount(platformBankAccount.id)).toMatchObject({
      bank_account: { account_number: '1234567890' },
    })
    await client().ask(`/v1/linked_bank_accounts/${platformBankAccount.id}/cancel`, {
      method: 'PATCH',
    })
  })

  test('is possible once for each purpose, and a canceled one frees its purpose', async () => {
    const account = await makeAccount(client())
    const linkedBankAccounts: ServiceObject[] = []
    for (const purpose of ['charges', 'payouts', 'billing'])
      linkedBankAccounts.push(
        await createLinkedBankAccount(client(), account.id, { purposes: [purpose] }),
      )
    const body = { account_id: account.id, bank_account: bankAccountFields, purposes: ['payouts'] }
    const refusedResponse = await client().post('/v1/linked_bank_accounts', body)
    expect(refusedResponse.json.error).toMatchObject({
      status: 422,
      items: [{ reference: 'purposes', detail: expect.stringContaining('payouts') }],
    })
    expect(await readPayoutBankAccountId(account.id)).toBe(linkedBankAccounts[1]?.id)
    await client().ask(`/v1/linked_bank_accounts/${linkedBankAccounts[1]?.id}/cancel`, {
      method: 'PATCH',
    })
    expect(await readPayoutBankAccountId(account.id)).toBe(null)
    const responseAfterCancel = await client().post('/v1/linked_bank_accounts', body)
    expect([responseAfterCancel.status, await readPayoutBankAccountId(account.id)]).toEqual([
      201,
      (responseAfterCancel.json.data as ServiceObject).id,
    ])
  })

  test.each<[string, Record<string, unknown>, string]>([
    ['an account nobody has', { account_id: randomUUID() }, 'account_id'],
    ['another platform', { account_id: null, platform_id: randomUUID() }, 'platform_id'],
    ['no bank account', { bank_account: undefined }, 'bank_account'],
    [
      'no holder',
      { bank_account: { ...bankAccountFields, account_holder: '' } },
      'bank_account.account_holder',
    ],
    [
      'a routing number of 8 digits',
      { bank_account: { ...bankAccountFields, routing_number: '02100002' } },
      'bank_account.routing_number',
    ],
    [
      'a wrong check digit',
      { bank_account: { ...bankAccountFields, routing_number: '021000022' } },
      'bank_account.routing_number',
    ],
    [
      'an account number of 3 digits',
      { bank_account: { ...bankAccountFields, account_number: '123' } },
      'bank_account.account_number',
    ],
    ['an empty list of purposes', { purposes: [] }, 'purposes'],
    ['a purpose twice', { purposes: ['charges', 'charges'] }, 'purposes'],
    ['an unknown purpose', { purposes: ['fees'] }, 'purposes.0'],
  ])('%s is rejected', async (_name, overrides, reference) => {
    const account = await makeAccount(client())
    const { status, json } = await client().post('/v1/linked_bank_accounts', {
      account_id: account.id,
      bank_account: bankAccountFields,
      ...overrides,
    })
    expect([status, json.error?.items]).toEqual([422, [{ reference, detail: expect.any(String) }]])
    expect(await listLinkedBankAccounts(`account_id=${account.id}`)).toEqual([])
  })
})

test('unmasking requires the setting of the account', async () => {
  const account = await makeAccount(client())
  const newLinkedBankAccount = (await createLinkedBankAccount(
    client(),
    account.id,
  )) as LinkedBankAccount
  const refusedUnmaskResponse = await client().ask(
    `/v1/linked_bank_accounts/${newLinkedBankAccount.id}/unmask`,
  )
  expect(refusedUnmaskResponse.json.error).toMatchObject({
    status: 403,
    detail: expect.stringContaining('allow_data_unmask'),
  })
  await client().control('configuration', { account_id: account.id, allow_data_unmask: true })
  const { account_mask: _mask, ...bank } = newLinkedBankAccount.bank_account
  const unmaskedBankAccount = {
    ...newLinkedBankAccount,
    bank_account: { ...bank, account_number: bankAccountFields.account_number },
  }
  expect(await unmaskLinkedBankAccount(newLinkedBankAccount.id)).toEqual(unmaskedBankAccount)
})

test('the list can be filtered by account, level, purpose and status', async () => {
  const allBankAccounts = await listLinkedBankAccounts('')
  const platformBankAccounts = await listLinkedBankAccounts('level=platform')
  expect(platformBankAccounts.length).toBeGreaterThan(0)
  expect(platformBankAccounts.every((linked) => linked.account_id === null)).toBe(true)
  expect(await listLinkedBankAccounts('level=account')).toHaveLength(
    allBankAccounts.length - platformBankAccounts.length,
  )
  expect(await listLinkedBankAccounts('purpose=billing')).toEqual(
    allBankAccounts.filter(({ purposes }) => purposes.includes('billing')),
  )
  for (const status of linkedBankAccountStatuses) {
    const filteredBankAccounts = await listLinkedBankAccounts(`status=${status}`)
    expect(filteredBankAccounts).toEqual(
      allBankAccounts.filter((linked) => linked.status === status),
    )
    expect(filteredBankAccounts.length).toBeGreaterThan(0)
  }
  expect(await listLinkedBankAccounts(`account_id=${randomUUID()}`)).toEqual([])
  expect((await client().ask('/v1/linked_bank_accounts?status=cancelled')).status).toBe(400)
})
