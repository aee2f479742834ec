import { expect, test } from 'vitest'
import {
  type LinkedBankAccount,
  readAccountSettings,
  readLinkedBankAccount,
} from '@/tests/sandbox/linked-bank-accounts'
import {
  createLinkedBankAccount,
  makeAccount,
  readEventSummary,
  sendComplianceDecision,
} from '@/tests/sandbox/make-account'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'
import { linkedBankAccountMachine } from './linked-bank-account-machine'
import { linkedBankAccountStatuses } from './linked-bank-account-store'

const { client } = startSandboxPerFile()

/**
 * All statuses, plus the state `stuck`, which responses show as the status `onboarding` with the
 * reason `stuck`.
 */
const linkedBankAccountStates = [...linkedBankAccountStatuses, 'stuck']

async function makeLinkedBankAccountInState(state: string): Promise<LinkedBankAccount> {
  const account = await makeAccount(client())
  const { id } = await createLinkedBankAccount(client(), account.id)
  const simulateAccountStatus = (stage: string) =>
    client().ask(`/v1/accounts/${account.id}/simulate?final_status=${stage}`, { method: 'POST' })
  const decideBankAccountStatus = (status: string, reason?: string) =>
    sendComplianceDecision(client(), {
      kind: 'linked_bank_account',
      id,
      status,
      ...(reason ? { reason } : {}),
    })
  const setupByState: Readonly<Record<string, () => Promise<unknown>>> = {
    onboarding: () => simulateAccountStatus('onboarding'),
    stuck: () =>
      simulateAccountStatus('onboarding').then(() =>
        decideBankAccountStatus('onboarding', 'stuck'),
      ),
    active: () => simulateAccountStatus('active'),
    rejected: () =>
      simulateAccountStatus('onboarding').then(() => decideBankAccountStatus('rejected')),
    inactive: () =>
      decideBankAccountStatus('active').then(() => decideBankAccountStatus('inactive')),
    canceled: () => client().ask(`/v1/linked_bank_accounts/${id}/cancel`, { method: 'PATCH' }),
  }
  await setupByState[state]?.()
  const linkedBankAccount = await readLinkedBankAccount(client(), id)
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
      (
        await sendComplianceDecision(client(), {
          kind: 'linked_bank_account',
          id,
          status: 'onboarding',
        })
      ).status,
  },
  verify: {
    leads: { created: 'active', onboarding: 'active', stuck: 'active' },
    make: async (id) =>
      (
        await sendComplianceDecision(client(), {
          kind: 'linked_bank_account',
          id,
          status: 'active',
        })
      ).status,
  },
  reject: {
    leads: { onboarding: 'rejected', stuck: 'rejected' },
    make: async (id) =>
      (
        await sendComplianceDecision(client(), {
          kind: 'linked_bank_account',
          id,
          status: 'rejected',
        })
      ).status,
  },
  deactivate: {
    leads: { active: 'inactive' },
    make: async (id) =>
      (
        await sendComplianceDecision(client(), {
          kind: 'linked_bank_account',
          id,
          status: 'inactive',
        })
      ).status,
  },
}

test('the tests cover every transition of the table except onboard', () => {
  expect(Object.keys(linkedBankAccountMachine.moves).toSorted()).toEqual(
    [...Object.keys(moveTests), 'onboard'].toSorted(),
  )
})

const moveStatePairs = Object.entries(moveTests).flatMap(([move, { leads }]) =>
  linkedBankAccountStates.map((state) => ({ move, state, to: leads[state] })),
)

test.each(moveStatePairs)(
  '$move of a bank account that is $state leads to $to',
  async ({ move, state, to }) => {
    const bankAccountBefore = await makeLinkedBankAccountInState(state)
    const { types } = await readEventSummary(client(), bankAccountBefore.id)
    const moveStatus = await moveTests[move]?.make(bankAccountBefore.id)
    const bankAccountAfter = await readLinkedBankAccount(client(), bankAccountBefore.id)
    if (to === undefined) expect([moveStatus, bankAccountAfter]).toEqual([422, bankAccountBefore])
    else expect([moveStatus, bankAccountAfter.status]).toEqual([200, to])
    expect((await readEventSummary(client(), bankAccountBefore.id)).types).toHaveLength(
      types.length + (to === undefined ? 0 : 1),
    )
  },
)

test('an update replaces the bank account, and account settings follow its verification', async () => {
  const stuckBankAccount = await makeLinkedBankAccountInState('stuck')
  await client().put(`/v1/linked_bank_accounts/${stuckBankAccount.id}`, {
    bank_account: otherBankAccount,
    metadata: { corrected: 'yes' },
  })
  await client().put(`/v1/linked_bank_accounts/${stuckBankAccount.id}`, {
    bank_account: otherBankAccount,
    metadata: null,
  })
  const updatedBankAccount = await readLinkedBankAccount(client(), stuckBankAccount.id)
  expect(updatedBankAccount).toMatchObject({
    metadata: { corrected: 'yes' },
    status_detail: { reason: 'stuck' },
  })
  expect(updatedBankAccount.bank_account).toMatchObject({
    institution_name: 'WELLS FARGO BANK, NA',
    account_mask: '4444',
  })
  const readChargeBankAccountId = async () =>
    (await readAccountSettings(client(), stuckBankAccount.account_id ?? '')).charges
      ?.linked_bank_account_id
  expect(await readChargeBankAccountId()).toBe(stuckBankAccount.id)
  await sendComplianceDecision(client(), {
    kind: 'linked_bank_account',
    id: stuckBankAccount.id,
    status: 'rejected',
  })
  expect(await readChargeBankAccountId()).toBe(null)
})
