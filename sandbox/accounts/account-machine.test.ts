import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  createLinkedBankAccount,
  makeAccount,
  makeCompleteAccount,
  makeRepresentative,
  readEventSummary,
  type ServiceObject,
  sendComplianceDecision,
} from '@/tests/sandbox/make-account'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'
import { accountStatuses } from './account'
import { accountMachine } from './account-machine'

const { client } = startSandboxPerFile()

const termsOfService = {
  accepted_date: '2030-01-31T12:00:00+02:00',
  agreement_url: 'https://sable-finch.example.com/terms',
}

type AccountMoveResult = { status: number; after: ServiceObject }

const readAccount = async (id: string) =>
  (await client().ask(`/v1/accounts/${id}`)).json.data as ServiceObject
const requestMove = async (
  id: string,
  path: string,
  body?: unknown,
): Promise<AccountMoveResult> => {
  const moveResponse = await client().post(`/v1/accounts/${id}/${path}`, body)
  return { status: moveResponse.status, after: await readAccount(id) }
}
const decideAccount = async (id: string, status: string): Promise<AccountMoveResult> => {
  const decisionResponse = await sendComplianceDecision(client(), { kind: 'account', id, status })
  return {
    status: decisionResponse.status === 200 ? 201 : decisionResponse.status,
    after: await readAccount(id),
  }
}

// The allowed transitions, written by hand from the provider's table. If they were derived from the
// sandbox's own table, they would repeat its errors.
const moveTests: Readonly<
  Record<
    string,
    { leads: Readonly<Record<string, string>>; make: (id: string) => Promise<AccountMoveResult> }
  >
> = {
  onboard: {
    leads: { created: 'onboarding' },
    make: (id) => requestMove(id, 'onboard', { terms_of_service: termsOfService }),
  },
  simulate_onboarding: {
    leads: { created: 'onboarding' },
    make: (id) => requestMove(id, 'simulate?final_status=onboarding'),
  },
  simulate_active: {
    leads: { created: 'active', onboarding: 'active' },
    make: (id) => requestMove(id, 'simulate?final_status=active'),
  },
  review: { leads: { onboarding: 'onboarding' }, make: (id) => decideAccount(id, 'onboarding') },
  verify: { leads: { onboarding: 'active' }, make: (id) => decideAccount(id, 'active') },
  reject: { leads: { onboarding: 'rejected' }, make: (id) => decideAccount(id, 'rejected') },
  deactivate: { leads: { active: 'inactive' }, make: (id) => decideAccount(id, 'inactive') },
}

const reasonByStatus: Readonly<Record<string, string>> = {
  ...{
    onboarding: 'pending',
    active: 'verified',
    rejected: 'failed_verification',
    inactive: 'disabled',
  },
}

async function makeAccountInStatus(status: string): Promise<ServiceObject> {
  const createdAccount = await makeCompleteAccount(client())
  const movesByStatus: Readonly<Record<string, readonly string[]>> = {
    ...{ onboarding: ['simulate_onboarding'], active: ['simulate_active'] },
    ...{ rejected: ['simulate_onboarding', 'reject'], inactive: ['simulate_active', 'deactivate'] },
  }
  for (const move of movesByStatus[status] ?? []) await moveTests[move]?.make(createdAccount.id)
  const currentAccount = await readAccount(createdAccount.id)
  expect(currentAccount.status).toBe(status)
  return currentAccount
}

const moveStatusPairs = Object.entries(moveTests).flatMap(([move, { leads }]) =>
  accountStatuses.map((status) => ({ move, status, to: leads[status] })),
)

test('the tests cover every transition of the table', () => {
  expect(Object.keys(moveTests).toSorted()).toEqual(Object.keys(accountMachine.moves).toSorted())
})

test.each(moveStatusPairs.filter(({ to }) => to !== undefined))(
  '$move from $status leads to $to',
  async ({ move, status, to }) => {
    const accountBefore = await makeAccountInStatus(status)
    const eventCountBefore = (await readEventSummary(client(), accountBefore.id)).types.length
    const moveResult = await moveTests[move]?.make(accountBefore.id)
    expect(moveResult).toMatchObject({
      status: 201,
      after: {
        status: to,
        status_detail: { reason: reasonByStatus[to ?? ''], source: 'watchtower' },
      },
    })
    const { types, last } = await readEventSummary(client(), accountBefore.id)
    expect([types.length, last?.data]).toEqual([eventCountBefore + 1, moveResult?.after])
  },
)

test.each(moveStatusPairs.filter(({ to }) => to === undefined))(
  '$move from $status is refused',
  async ({ move, status }) => {
    const unmovedAccount = await makeAccountInStatus(status)
    const [effectsBefore, eventsBefore] = [
      await client().effects(unmovedAccount.id),
      await readEventSummary(client(), unmovedAccount.id),
    ]
    expect(await moveTests[move]?.make(unmovedAccount.id)).toEqual({
      status: 422,
      after: unmovedAccount,
    })
    expect([
      await client().effects(unmovedAccount.id),
      await readEventSummary(client(), unmovedAccount.id),
    ]).toEqual([effectsBefore, eventsBefore])
  },
)

describe('onboarding', () => {
  test('stores the terms and onboards representatives and bank accounts', async () => {
    const createdAccount = await makeCompleteAccount(client())
    const platformBankAccount = await createLinkedBankAccount(client(), null, {
      purposes: ['charges'],
    })
    const onboardResponse = await client().post(`/v1/accounts/${createdAccount.id}/onboard`, {
      terms_of_service: termsOfService,
    })
    const expectedTerms = {
      accepted_date: '2030-01-31T10:00:00.000Z',
      agreement_url: termsOfService.agreement_url,
      agreement_type: 'embedded',
    }
    expect(onboardResponse.json.data).toMatchObject({
      terms_of_service: { ...expectedTerms, accepted_ip: null, accepted_user_agent: null },
    })
    for (const resourcePath of ['representatives', 'linked_bank_accounts']) {
      const representativesOrBankAccounts = (
        await client().ask(`/v1/${resourcePath}?account_id=${createdAccount.id}`)
      ).json.data as ServiceObject[]
      expect(representativesOrBankAccounts).toMatchObject([
        { status: 'onboarding', status_detail: { reason: 'pending' } },
      ])
      expect(
        (await readEventSummary(client(), representativesOrBankAccounts[0]?.id ?? '')).types,
      ).toHaveLength(3)
    }
    const updatedPlatformBankAccount = (
      await client().ask(`/v1/linked_bank_accounts/${platformBankAccount.id}`)
    ).json.data as ServiceObject
    expect(updatedPlatformBankAccount.status).toBe('created')
    expect(await client().effects(createdAccount.id)).toMatchObject([
      {},
      { operation: 'accounts.onboard', from: 'created', to: 'onboarding' },
    ])
  })

  test('lists what is missing, and requires a representative with control', async () => {
    const createdAccount = await makeAccount(client())
    const readMissingReferences = async () => {
      const { status, json } = await client().post(`/v1/accounts/${createdAccount.id}/onboard`, {
        terms_of_service: termsOfService,
      })
      expect(status).toBe(422)
      const missingItems = (json.error?.items ?? []) as { reference: string }[]
      return missingItems.map(({ reference }) => reference)
    }
    expect(await readMissingReferences()).toEqual(['representatives', 'linked_bank_accounts'])
    await makeRepresentative(client(), createdAccount.id, {
      relationship: { primary: true, control: false, owner: false },
    })
    const linkedBankAccount = await createLinkedBankAccount(client(), createdAccount.id)
    expect(await readMissingReferences()).toEqual(['representatives'])
    await client().ask(`/v1/linked_bank_accounts/${linkedBankAccount.id}/cancel`, {
      method: 'PATCH',
    })
    await makeRepresentative(client(), createdAccount.id, {
      relationship: { primary: false, control: true, owner: false },
    })
    expect(await readMissingReferences()).toEqual(['linked_bank_accounts'])
  })

  test.each([
    [{}, 'terms_of_service'],
    [
      { terms_of_service: { ...termsOfService, accepted_date: 'yesterday' } },
      'terms_of_service.accepted_date',
    ],
    [
      { terms_of_service: { ...termsOfService, agreement_url: 'terms' } },
      'terms_of_service.agreement_url',
    ],
    [
      { terms_of_service: { ...termsOfService, accepted_ip: '999.1.1.1' } },
      'terms_of_service.accepted_ip',
    ],
  ])('%j is rejected', async (body, reference) => {
    const createdAccount = await makeCompleteAccount(client())
    const { status, json } = await client().post(`/v1/accounts/${createdAccount.id}/onboard`, body)
    expect([status, json.error]).toMatchObject([422, { items: [{ reference }] }])
  })
})

describe('simulating', () => {
  test('without a stage moves the account and its people and bank accounts one stage at a time', async () => {
    const createdAccount = await makeCompleteAccount(client())
    const observedStatuses: unknown[] = []
    for (const _ of [1, 2]) {
      const { json } = await client().ask(`/v1/accounts/${createdAccount.id}/simulate`, {
        method: 'POST',
      })
      const accountRepresentatives = (
        await client().ask(`/v1/representatives?account_id=${createdAccount.id}`)
      ).json.data as ServiceObject[]
      const linkedBankAccounts = (
        await client().ask(`/v1/linked_bank_accounts?account_id=${createdAccount.id}`)
      ).json.data as ServiceObject[]
      observedStatuses.push([
        (json.data as ServiceObject).status,
        accountRepresentatives[0]?.status,
        linkedBankAccounts[0]?.status,
      ])
    }
    expect(observedStatuses).toEqual([Array(3).fill('onboarding'), Array(3).fill('active')])
    expect(
      (await client().ask(`/v1/accounts/${createdAccount.id}/simulate`, { method: 'POST' })).status,
    ).toBe(422)
  })

  test('to another stage is 400, and needs only the account', async () => {
    const createdAccount = await makeAccount(client())
    const refusedSimulateResponse = await client().ask(
      `/v1/accounts/${createdAccount.id}/simulate?final_status=rejected`,
      { method: 'POST' },
    )
    expect(refusedSimulateResponse.json.error).toMatchObject({
      status: 400,
      items: [{ reference: 'final_status' }],
    })
    expect(
      (
        await client().ask(`/v1/accounts/${createdAccount.id}/simulate?final_status=active`, {
          method: 'POST',
        })
      ).status,
    ).toBe(201)
  })
})

test('compliance can set a reason that matches the status, with a message', async () => {
  const { id } = await makeAccountInStatus('onboarding')
  const stuckDecisionResponse = await sendComplianceDecision(client(), {
    kind: 'account',
    id,
    status: 'onboarding',
    reason: 'stuck',
    message: 'Send the bank statement',
  })
  expect(stuckDecisionResponse.body.status_detail).toMatchObject({
    reason: 'stuck',
    message: 'Send the bank statement',
  })
  expect(
    (
      await sendComplianceDecision(client(), {
        kind: 'account',
        id,
        status: 'active',
        reason: 'stuck',
      })
    ).status,
  ).toBe(400)
  expect(
    (
      await sendComplianceDecision(client(), {
        kind: 'account',
        id: randomUUID(),
        status: 'active',
      })
    ).status,
  ).toBe(404)
})
