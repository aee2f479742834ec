import { expect } from 'vitest'
import { accountMachine } from '@/sandbox/accounts/account-machine'
import { linkedBankAccountMachine } from '@/sandbox/linked-bank-accounts/linked-bank-account-machine'
import { assessMove } from '@/sandbox/machine'
import { representativeMachine } from '@/sandbox/representatives/representative-machine'
import {
  bankAccountFields,
  businessProfile,
  findOrganizationId,
  representativeFields,
} from '@/tests/sandbox/make-account'
import type { SandboxClient } from '@/tests/sandbox/sandbox-client'
import {
  type AccountStep,
  findStep,
  machinesByKind,
  moveByDecidedStatus,
  type ObjectKind,
  objectKinds,
} from './account-steps'
import { sendDecision } from './decide'
import { ObjectModel } from './object-model'
import type { MoveRequest, ServiceObject } from './subject'
import type { MoveTally } from './tally'

export type AccountModelInput = {
  client: SandboxClient
  tallies: Readonly<Record<ObjectKind, MoveTally>>
}

/**
 * Default reason of each status, for accounts, representatives and linked bank accounts
 * (provider-facts 3.4).
 */
const defaultReasonByStatus: Readonly<Record<string, string>> = {
  ...{ created: 'unverified', onboarding: 'pending', active: 'verified' },
  ...{ rejected: 'failed_verification', inactive: 'disabled', canceled: 'disabled' },
}

const termsOfService = {
  accepted_date: '2030-01-31T12:00:00+02:00',
  agreement_url: 'https://sable-finch.example.com/terms',
}

const readStatusReason = ({ status_detail }: ServiceObject): string =>
  (status_detail as { reason: string }).reason
const toBankAccountState = (bankAccountObject: ServiceObject): string =>
  bankAccountObject.status === 'onboarding' && readStatusReason(bankAccountObject) === 'stuck'
    ? 'stuck'
    : bankAccountObject.status
const isStillUsable = ({ status }: ServiceObject): boolean =>
  ['created', 'onboarding', 'active'].includes(status)

export class AccountModel {
  readonly #client: SandboxClient
  readonly #models: Readonly<Record<ObjectKind, ObjectModel>>

  private constructor(client: SandboxClient, models: Readonly<Record<ObjectKind, ObjectModel>>) {
    this.#client = client
    this.#models = models
  }

  static async begin({ client, tallies }: AccountModelInput): Promise<AccountModel> {
    const organization_id = await findOrganizationId(client)
    const body = {
      organization_id,
      account_type: 'business',
      access_level: 'standard',
      business_profile: businessProfile,
    }
    const buildModelSubject = (kind: ObjectKind) => ({
      client,
      resource: kind,
      path: `/v1/${kind}s/:id`,
      tally: tallies[kind],
    })
    const createPostSender =
      (path: string, requestBody: object): MoveRequest['send'] =>
      (key) =>
        client.post(path, requestBody, key)
    const accountModel = await ObjectModel.begin(
      { ...buildModelSubject('account'), table: accountMachine },
      'accounts.create',
      createPostSender('/v1/accounts', body),
    )
    const { id: account_id } = accountModel.whole
    const representativeModel = await ObjectModel.begin(
      { ...buildModelSubject('representative'), table: representativeMachine },
      'representatives.create',
      createPostSender('/v1/representatives', { account_id, ...representativeFields }),
    )
    const linkedBankAccountModel = await ObjectModel.begin(
      {
        ...buildModelSubject('linked_bank_account'),
        table: linkedBankAccountMachine,
        stateOf: toBankAccountState,
      },
      'linked_bank_accounts.create',
      createPostSender('/v1/linked_bank_accounts', { account_id, bank_account: bankAccountFields }),
    )
    const model = new AccountModel(client, {
      account: accountModel,
      representative: representativeModel,
      linked_bank_account: linkedBankAccountModel,
    })
    await model.#expectLink(linkedBankAccountModel.whole.id)
    return model
  }

  async take(step: AccountStep): Promise<void> {
    const { account } = this.#models
    if (typeof step === 'object') await this.#decide(step)
    else if (step === 'repeat') await account.repeat()
    else if (step === 'update_account') {
      const accountUpdate = {
        business_profile: { ...businessProfile, description: 'Bread' },
        metadata: { shop: '1' },
      }
      await account.write('accounts.update', (key) =>
        this.#client.put(this.#path('account'), accountUpdate, key),
      )
    } else if (step === 'update_representative') {
      const sendRepresentativeUpdate: MoveRequest['send'] = (key) =>
        this.#client.put(
          this.#path('representative'),
          { ...representativeFields, first_name: 'Noor' },
          key,
        )
      await this.#models.representative.write('representatives.update', sendRepresentativeUpdate)
    } else if (step === 'update_bank' || step === 'cancel_bank') await this.#changeBank(step)
    else await this.#onboard(step)
    for (const { whole } of Object.values(this.#models)) {
      const defaultReason = defaultReasonByStatus[whole.status]
      expect([defaultReason, 'stuck']).toContain(readStatusReason(whole))
    }
  }

  /**
   * Requests each move that the state machine refuses in the object's current state, if no sequence
   * has requested it in that state.
   */
  async refuseUntried(tallies: AccountModelInput['tallies']): Promise<void> {
    for (const kind of objectKinds) {
      for (const move of tallies[kind].untried(machinesByKind[kind], this.#models[kind].state)) {
        const matchingStep = findStep(kind, move)
        if (matchingStep) await this.take(matchingStep)
      }
    }
  }

  async finish(): Promise<void> {
    for (const model of Object.values(this.#models)) await model.finish()
  }

  #path(kind: ObjectKind, rest = ''): string {
    return `/v1/${kind}s/${this.#models[kind].whole.id}${rest}`
  }

  async #onboard(
    step: 'onboard' | 'simulate' | 'simulate_onboarding' | 'simulate_active',
  ): Promise<void> {
    const { account, representative, linked_bank_account } = this.#models
    // Without `final_status`, the service moves the account to its next status.
    const nextStatus =
      assessMove(accountMachine, 'simulate_onboarding', account.state as 'created') === 'moves'
        ? 'onboarding'
        : 'active'
    const move = step === 'simulate' ? (`simulate_${nextStatus}` as const) : step
    const simulateQuery =
      step === 'simulate' ? '' : `?final_status=${step.slice('simulate_'.length)}`
    const sendSimulate: MoveRequest['send'] = (key) =>
      this.#client.ask(`${this.#path('account')}/simulate${simulateQuery}`, {
        method: 'POST',
        headers: key,
      })
    const sendOnboard: MoveRequest['send'] = (key) =>
      this.#client.post(
        `${this.#path('account')}/onboard`,
        { terms_of_service: termsOfService },
        key,
      )
    const isReadyToOnboard =
      !['rejected', 'inactive'].includes(representative.state) &&
      isStillUsable(linked_bank_account.whole)
    const expectedRefusalPattern =
      move === 'onboard' && account.state === 'created' && !isReadyToOnboard
        ? /not complete enough/
        : undefined
    const [operation, send] =
      move === 'onboard' ? ['accounts.onboard', sendOnboard] : ['accounts.simulate', sendSimulate]
    if ((await account.ask({ move, operation, send, veto: expectedRefusalPattern })) === 'refused')
      return
    const moveOfDependents = move === 'simulate_active' ? 'verify' : 'onboard'
    await representative.follow(moveOfDependents)
    await linked_bank_account.follow(moveOfDependents)
  }

  async #decide({
    decide: kind,
    status,
    stuck,
  }: Extract<AccountStep, { decide: ObjectKind }>): Promise<void> {
    const model = this.#models[kind]
    const isStuck = stuck && status === 'onboarding'
    const wasUsable = isStillUsable(model.whole)
    const decision = { kind, id: model.whole.id, status, ...(isStuck ? { reason: 'stuck' } : {}) }
    const expectedState = isStuck && kind === 'linked_bank_account' ? 'stuck' : undefined
    await model.ask({
      move: moveByDecidedStatus[status],
      send: () => sendDecision(this.#client, decision),
      lands: expectedState,
    })
    if (kind === 'linked_bank_account' && wasUsable && !isStillUsable(model.whole))
      await this.#expectLink(null)
  }

  async #changeBank(step: 'update_bank' | 'cancel_bank'): Promise<void> {
    const model = this.#models.linked_bank_account
    const move = step === 'update_bank' ? 'update' : 'cancel'
    const bankAccountChange = { bank_account: { ...bankAccountFields, account_number: '99887766' } }
    const sendUpdate: MoveRequest['send'] = (key) =>
      this.#client.put(this.#path('linked_bank_account'), bankAccountChange, key)
    const sendCancel: MoveRequest['send'] = (key) =>
      this.#client.ask(this.#path('linked_bank_account', '/cancel'), {
        method: 'PATCH',
        headers: key,
      })
    const moveResult = await model.ask({
      move,
      operation: `linked_bank_accounts.${move}`,
      send: move === 'update' ? sendUpdate : sendCancel,
    })
    if (move === 'cancel' && moveResult === 'moves') await this.#expectLink(null)
    if (move === 'update' && moveResult === 'moves')
      expect(model.whole.bank_account).toMatchObject({ account_mask: '7766' })
  }

  /**
   * Checks that the account's settings now contain this linked bank account (null for none), and
   * that an account event reported the change.
   */
  async #expectLink(linked_bank_account_id: string | null): Promise<void> {
    const { account } = this.#models
    await account.look((before, after) => {
      const { charges, payouts } = before.settings as Record<'charges' | 'payouts', object>
      const expectedSettings = {
        charges: { ...charges, linked_bank_account_id },
        payouts: { ...payouts, linked_bank_account_id },
      }
      expect(after).toEqual({ ...before, settings: expectedSettings, updated_at: after.updated_at })
    })
    account.expectEvent()
  }
}
