import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { platformId } from '@/sandbox/organizations/organization-store'
import {
  bankAccount,
  createLinkedBankAccount,
  decideCompliance,
  makeAccount,
  readEvents,
  type ServiceObject,
} from '@/tests/sandbox/make-account'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'
import { linkedBankAccountMachine } from './linked-bank-account-machine'
import { linkedBankAccountStatuses } from './linked-bank-account-store'

const { client } = startSandboxPerFile()

type LinkedBankAccount = ServiceObject & {
  purposes: string[]
  account_id: string | null
  bank_account: Record<string, string>
}

const readObject = async (path: string) => (await client().ask(path)).json.data as LinkedBankAccount
const listLinkedBankAccounts = async (query: string) =>
  (await client().ask(`/v1/linked_bank_accounts?page_size=1000&${query}`)).json
    .data as LinkedBankAccount[]
const readAccountSettings = async (accountId: string) =>
  (
    (await client().ask(`/v1/accounts/${accountId}`)).json.data as {
      settings: Record<string, Record<string, unknown>>
    }
  ).settings

describe('creating', () => {
  test('returns a linked bank account with the last four digits of its number', async () => {
    const account = await makeAccount(client())
    const linkedAccount = await createLinkedBankAccount(client(), account.id, {
      description: 'Operating',
      metadata: { branch: '7' },
    })
    expect(linkedAccount).toEqual({
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
    expect(await readObject(`/v1/linked_bank_accounts/${linkedAccount.id}`)).toEqual(linkedAccount)
    expect(await client().effects(linkedAccount.id)).toMatchObject([
      { operation: 'linked_bank_accounts.create', account_id: account.id, to: 'created' },
    ])
    const { types, last } = await readEvents(client(), linkedAccount.id)
    expect(types).toEqual(['linked_bank_account.created.v1', 'linked_bank_account.event.v1'])
    expect(last).toMatchObject({ account_id: account.id, data: linkedAccount })
    expect(JSON.stringify(last)).not.toContain(bankAccount.account_number)
  })

  test('without an account returns one of the platform', async () => {
    const linkedAccount = await createLinkedBankAccount(client(), null, {
      purposes: ['charges'],
      platform_id: platformId,
    })
    expect(linkedAccount).toMatchObject({ account_id: null, platform_id: platformId })
    expect((await readEvents(client(), linkedAccount.id)).last).toMatchObject({
      account_id: platformId,
    })
    expect(await readObject(`/v1/linked_bank_accounts/${linkedAccount.id}/unmask`)).toMatchObject({
      bank_account: { account_number: '1234567890' },
    })
    await client().ask(`/v1/linked_bank_accounts/${linkedAccount.id}/cancel`, { method: 'PATCH' })
  })

  test('is possible once for each purpose, and a canceled one frees its purpose', async () => {
    const account = await makeAccount(client())
    const linkedAccounts: ServiceObject[] = []
    for (const purpose of ['charges', 'payouts', 'billing'])
      linkedAccounts.push(
        await createLinkedBankAccount(client(), account.id, { purposes: [purpose] }),
      )
    const body = { account_id: account.id, bank_account: bankAccount, purposes: ['payouts'] }
    const refusedResponse = await client().post('/v1/linked_bank_accounts', body)
    expect(refusedResponse.json.error).toMatchObject({
      status: 422,
      items: [{ reference: 'purposes', detail: expect.stringContaining('payouts') }],
    })
    expect((await readAccountSettings(account.id)).payouts?.linked_bank_account_id).toBe(
      linkedAccounts[1]?.id,
    )
    await client().ask(`/v1/linked_bank_accounts/${linkedAccounts[1]?.id}/cancel`, {
      method: 'PATCH',
    })
    expect((await readAccountSettings(account.id)).payouts?.linked_bank_account_id).toBe(null)
    const nextResponse = await client().post('/v1/linked_bank_accounts', body)
    expect([
      nextResponse.status,
      (await readAccountSettings(account.id)).payouts?.linked_bank_account_id,
    ]).toEqual([201, (nextResponse.json.data as ServiceObject).id])
  })

  test.each<[string, Record<string, unknown>, string]>([
    ['an account nobody has', { account_id: randomUUID() }, 'account_id'],
    ['another platform', { account_id: null, platform_id: randomUUID() }, 'platform_id'],
    ['no bank account', { bank_account: undefined }, 'bank_account'],
    [
      'no holder',
      { bank_account: { ...bankAccount, account_holder: '' } },
      'bank_account.account_holder',
    ],
    [
      'a routing number of 8 digits',
      { bank_account: { ...bankAccount, routing_number: '02100002' } },
      'bank_account.routing_number',
    ],
    [
      'a wrong check digit',
      { bank_account: { ...bankAccount, routing_number: '021000022' } },
      'bank_account.routing_number',
    ],
    [
      'an account number of 3 digits',
      { bank_account: { ...bankAccount, account_number: '123' } },
      'bank_account.account_number',
    ],
    ['an empty list of purposes', { purposes: [] }, 'purposes'],
    ['a purpose twice', { purposes: ['charges', 'charges'] }, 'purposes'],
    ['an unknown purpose', { purposes: ['fees'] }, 'purposes.0'],
  ])('%s is rejected', async (_name, overrides, reference) => {
    const account = await makeAccount(client())
    const { status, json } = await client().post('/v1/linked_bank_accounts', {
      account_id: account.id,
      bank_account: bankAccount,
      ...overrides,
    })
    expect([status, json.error?.items]).toEqual([422, [{ reference, detail: expect.any(String) }]])
    expect(await listLinkedBankAccounts(`account_id=${account.id}`)).toEqual([])
  })
})

test('unmasking requires the setting of the account', async () => {
  const account = await makeAccount(client())
  const linkedAccount = (await createLinkedBankAccount(client(), account.id)) as LinkedBankAccount
  const refused = await client().ask(`/v1/linked_bank_accounts/${linkedAccount.id}/unmask`)
  expect(refused.json.error).toMatchObject({
    status: 403,
    detail: expect.stringContaining('allow_data_unmask'),
  })
  await client().control('configuration', { account_id: account.id, allow_data_unmask: true })
  const { account_mask: _mask, ...bank } = linkedAccount.bank_account
  const unmaskedAccount = {
    ...linkedAccount,
    bank_account: { ...bank, account_number: bankAccount.account_number },
  }
  expect(await readObject(`/v1/linked_bank_accounts/${linkedAccount.id}/unmask`)).toEqual(
    unmaskedAccount,
  )
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

/**
 * All statuses, plus the state `stuck`, which responses show as the status `onboarding` with the
 * reason `stuck`.
 */
const states = [...linkedBankAccountStatuses, 'stuck']

async function makeLinkedBankAccountInState(state: string): Promise<LinkedBankAccount> {
  const account = await makeAccount(client())
  const { id } = await createLinkedBankAccount(client(), account.id)
  const simulateStage = (stage: string) =>
    client().ask(`/v1/accounts/${account.id}/simulate?final_status=${stage}`, { method: 'POST' })
  const decideStatus = (status: string, reason?: string) =>
    decideCompliance(client(), {
      kind: 'linked_bank_account',
      id,
      status,
      ...(reason ? { reason } : {}),
    })
  const setupByState: Readonly<Record<string, () => Promise<unknown>>> = {
    onboarding: () => simulateStage('onboarding'),
    stuck: () => simulateStage('onboarding').then(() => decideStatus('onboarding', 'stuck')),
    active: () => simulateStage('active'),
    rejected: () => simulateStage('onboarding').then(() => decideStatus('rejected')),
    inactive: () => decideStatus('active').then(() => decideStatus('inactive')),
    canceled: () => client().ask(`/v1/linked_bank_accounts/${id}/cancel`, { method: 'PATCH' }),
  }
  await setupByState[state]?.()
  const linkedBankAccount = await readObject(`/v1/linked_bank_accounts/${id}`)
  expect(
    linkedBankAccount.status_detail.reason === 'stuck' ? 'stuck' : linkedBankAccount.status,
  ).toBe(state)
  return linkedBankAccount
}

const otherBankAccount = {
  account_holder: 'Sable & Finch Bakery',
  routing_number: '121000248',
  account_number: '55554444',
}

// For each move, the expected status by the state before the move. Other states must reject the
// move. The table is written by hand, because one derived from the sandbox's own table would repeat
// its errors. The tests of accounts cover `onboard`.
const moveTests: Readonly<
  Record<string, { leads: Readonly<Record<string, string>>; make: (id: string) => Promise<number> }>
> = {
  update: {
    leads: { created: 'created', stuck: 'onboarding' },
    make: async (id) =>
      (await client().put(`/v1/linked_bank_accounts/${id}`, { bank_account: otherBankAccount }))
        .status,
  },
  cancel: {
    leads: { created: 'canceled' },
    make: async (id) =>
      (await client().ask(`/v1/linked_bank_accounts/${id}/cancel`, { method: 'PATCH' })).status,
  },
  review: {
    leads: { onboarding: 'onboarding', stuck: 'onboarding' },
    make: async (id) =>
      (await decideCompliance(client(), { kind: 'linked_bank_account', id, status: 'onboarding' }))
        .status,
  },
  verify: {
    leads: { created: 'active', onboarding: 'active', stuck: 'active' },
    make: async (id) =>
      (await decideCompliance(client(), { kind: 'linked_bank_account', id, status: 'active' }))
        .status,
  },
  reject: {
    leads: { onboarding: 'rejected', stuck: 'rejected' },
    make: async (id) =>
      (await decideCompliance(client(), { kind: 'linked_bank_account', id, status: 'rejected' }))
        .status,
  },
  deactivate: {
    leads: { active: 'inactive' },
    make: async (id) =>
      (await decideCompliance(client(), { kind: 'linked_bank_account', id, status: 'inactive' }))
        .status,
  },
}

test('the tests cover every transition of the table except onboard', () => {
  expect(Object.keys(linkedBankAccountMachine.moves).toSorted()).toEqual(
    [...Object.keys(moveTests), 'onboard'].toSorted(),
  )
})

const moveStatePairs = Object.entries(moveTests).flatMap(([move, { leads }]) =>
  states.map((state) => ({ move, state, to: leads[state] })),
)

test.each(moveStatePairs)(
  '$move of a bank account that is $state leads to $to',
  async ({ move, state, to }) => {
    const accountBefore = await makeLinkedBankAccountInState(state)
    const { types } = await readEvents(client(), accountBefore.id)
    const status = await moveTests[move]?.make(accountBefore.id)
    const accountAfter = await readObject(`/v1/linked_bank_accounts/${accountBefore.id}`)
    if (to === undefined) expect([status, accountAfter]).toEqual([422, accountBefore])
    else expect([status, accountAfter.status]).toEqual([200, to])
    expect((await readEvents(client(), accountBefore.id)).types).toHaveLength(
      types.length + (to === undefined ? 0 : 1),
    )
  },
)

test('an update replaces the bank account, and account settings follow its verification', async () => {
  const linked = await makeLinkedBankAccountInState('stuck')
  await client().put(`/v1/linked_bank_accounts/${linked.id}`, {
    bank_account: otherBankAccount,
    metadata: { corrected: 'yes' },
  })
  await client().put(`/v1/linked_bank_accounts/${linked.id}`, {
    bank_account: otherBankAccount,
    metadata: null,
  })
  const updatedBankAccount = await readObject(`/v1/linked_bank_accounts/${linked.id}`)
  expect(updatedBankAccount).toMatchObject({
    metadata: { corrected: 'yes' },
    status_detail: { reason: 'stuck' },
  })
  expect(updatedBankAccount.bank_account).toMatchObject({
    institution_name: 'WELLS FARGO BANK, NA',
    account_mask: '4444',
  })
  const accountId = linked.account_id ?? ''
  expect((await readAccountSettings(accountId)).charges?.linked_bank_account_id).toBe(linked.id)
  await decideCompliance(client(), {
    kind: 'linked_bank_account',
    id: linked.id,
    status: 'rejected',
  })
  expect((await readAccountSettings(accountId)).charges?.linked_bank_account_id).toBe(null)
})
