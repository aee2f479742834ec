import { expect } from 'vitest'
import { accountMachine } from '@/sandbox/accounts/account-machine'
import { linkedBankAccountMachine } from '@/sandbox/linked-bank-accounts/linked-bank-account-machine'
import { assessMove } from '@/sandbox/machine'
import { representativeMachine } from '@/sandbox/representatives/representative-machine'
import { bankAccount, findOrganization, person, profile } from '@/tests/sandbox/make-account'
import type { SandboxClient } from '@/tests/sandbox/sandbox-client'
import { type AccountStep, decisionMoves, findStep, type Kind, kinds, tables } from './account-steps'
import { decideForAnswer } from './decide'
import { ObjectModel } from './object-model'
import type { MoveRequest, ServiceObject } from './subject'
import type { Tally } from './tally'

export type AccountScene = { client: SandboxClient; tallies: Readonly<Record<Kind, Tally>> }

/** Default reason of each status (provider-facts 3.4). */
const reasonsByStatus: Readonly<Record<string, string>> = {
  ...{ created: 'unverified', onboarding: 'pending', active: 'verified' },
  ...{ rejected: 'failed_verification', inactive: 'disabled', canceled: 'disabled' },
}

const terms = { accepted_date: '2030-01-31T12:00:00+02:00', agreement_url: 'https://sable-finch.example.com/terms' }

const readReason = ({ status_detail }: ServiceObject): string => (status_detail as { reason: string }).reason
const toBankState = (whole: ServiceObject): string =>
  whole.status === 'onboarding' && readReason(whole) === 'stuck' ? 'stuck' : whole.status
const isLive = ({ status }: ServiceObject): boolean => ['created', 'onboarding', 'active'].includes(status)

export class AccountModel {
  readonly #client: SandboxClient
  readonly #models: Readonly<Record<Kind, ObjectModel>>

  private constructor(client: SandboxClient, models: Readonly<Record<Kind, ObjectModel>>) {
    this.#client = client
    this.#models = models
  }

  static async begin({ client, tallies }: AccountScene): Promise<AccountModel> {
    const organization_id = await findOrganization(client)
    const body = { organization_id, account_type: 'business', access_level: 'standard', business_profile: profile }
    const toSubject = (kind: Kind) => ({ client, resource: kind, path: `/v1/${kind}s/:id`, tally: tallies[kind] })
    const make =
      (path: string, sent: object): MoveRequest['send'] =>
      (key) =>
        client.post(path, sent, key)
    const account = await ObjectModel.begin(
      { ...toSubject('account'), table: accountMachine },
      'accounts.create',
      make('/v1/accounts', body),
    )
    const { id: account_id } = account.whole
    const representative = await ObjectModel.begin(
      { ...toSubject('representative'), table: representativeMachine },
      'representatives.create',
      make('/v1/representatives', { account_id, ...person }),
    )
    const linked = await ObjectModel.begin(
      { ...toSubject('linked_bank_account'), table: linkedBankAccountMachine, stateOf: toBankState },
      'linked_bank_accounts.create',
      make('/v1/linked_bank_accounts', { account_id, bank_account: bankAccount }),
    )
    const model = new AccountModel(client, { account, representative, linked_bank_account: linked })
    await model.#expectLink(linked.whole.id)
    return model
  }

  async take(step: AccountStep): Promise<void> {
    const { account } = this.#models
    if (typeof step === 'object') await this.#decide(step)
    else if (step === 'repeat') await account.repeat()
    else if (step === 'update_account') {
      const change = { business_profile: { ...profile, description: 'Bread' }, metadata: { shop: '1' } }
      await account.write('accounts.update', (key) => this.#client.put(this.#path('account'), change, key))
    } else if (step === 'update_representative') {
      const send: MoveRequest['send'] = (key) => this.#client.put(this.#path('representative'), { ...person, first_name: 'Noor' }, key)
      await this.#models.representative.write('representatives.update', send)
    } else if (step === 'update_bank' || step === 'cancel_bank') await this.#changeBank(step)
    else await this.#onboard(step)
    for (const { whole } of Object.values(this.#models)) {
      const defaultReason = reasonsByStatus[whole.status]
      expect([defaultReason, 'stuck']).toContain(readReason(whole))
    }
  }

  /** Requests each move that the state machine refuses in the final states and that no sequence has requested there. */
  async refuseUntried(tallies: AccountScene['tallies']): Promise<void> {
    for (const kind of kinds) {
      for (const move of tallies[kind].untried(tables[kind], this.#models[kind].state)) {
        const matchingStep = findStep(kind, move)
        if (matchingStep) await this.take(matchingStep)
      }
    }
  }

  async finish(): Promise<void> {
    for (const model of Object.values(this.#models)) await model.finish()
  }

  #path(kind: Kind, rest = ''): string {
    return `/v1/${kind}s/${this.#models[kind].whole.id}${rest}`
  }

  async #onboard(step: 'onboard' | 'simulate' | 'simulate_onboarding' | 'simulate_active'): Promise<void> {
    const { account, representative, linked_bank_account } = this.#models
    // Without `final_status`, the simulation moves to the next status.
    const stage = assessMove(accountMachine, 'simulate_onboarding', account.state as 'created') === 'moves' ? 'onboarding' : 'active'
    const move = step === 'simulate' ? (`simulate_${stage}` as const) : step
    const query = step === 'simulate' ? '' : `?final_status=${step.slice('simulate_'.length)}`
    const sendSimulate: MoveRequest['send'] = (key) =>
      this.#client.ask(`${this.#path('account')}/simulate${query}`, { method: 'POST', headers: key })
    const sendOnboard: MoveRequest['send'] = (key) =>
      this.#client.post(`${this.#path('account')}/onboard`, { terms_of_service: terms }, key)
    const isComplete = !['rejected', 'inactive'].includes(representative.state) && isLive(linked_bank_account.whole)
    const vetoPattern = move === 'onboard' && account.state === 'created' && !isComplete ? /not complete enough/ : undefined
    const [operation, send] = move === 'onboard' ? ['accounts.onboard', sendOnboard] : ['accounts.simulate', sendSimulate]
    if ((await account.ask({ move, operation, send, veto: vetoPattern })) === 'refused') return
    const linkedMove = move === 'simulate_active' ? 'verify' : 'onboard'
    await representative.follow(linkedMove)
    await linked_bank_account.follow(linkedMove)
  }

  async #decide({ decide: kind, status, stuck }: Extract<AccountStep, { decide: Kind }>): Promise<void> {
    const model = this.#models[kind]
    const isStuck = stuck && status === 'onboarding'
    const wasLive = isLive(model.whole)
    const requested = { kind, id: model.whole.id, status, ...(isStuck ? { reason: 'stuck' } : {}) }
    const expectedState = isStuck && kind === 'linked_bank_account' ? 'stuck' : undefined
    await model.ask({ move: decisionMoves[status], send: () => decideForAnswer(this.#client, requested), lands: expectedState })
    if (kind === 'linked_bank_account' && wasLive && !isLive(model.whole)) await this.#expectLink(null)
  }

  async #changeBank(step: 'update_bank' | 'cancel_bank'): Promise<void> {
    const model = this.#models.linked_bank_account
    const move = step === 'update_bank' ? 'update' : 'cancel'
    const change = { bank_account: { ...bankAccount, account_number: '99887766' } }
    const sendUpdate: MoveRequest['send'] = (key) => this.#client.put(this.#path('linked_bank_account'), change, key)
    const sendCancel: MoveRequest['send'] = (key) =>
      this.#client.ask(this.#path('linked_bank_account', '/cancel'), { method: 'PATCH', headers: key })
    const moveResult = await model.ask({
      move,
      operation: `linked_bank_accounts.${move}`,
      send: move === 'update' ? sendUpdate : sendCancel,
    })
    if (move === 'cancel' && moveResult === 'moves') await this.#expectLink(null)
    if (move === 'update' && moveResult === 'moves') expect(model.whole.bank_account).toMatchObject({ account_mask: '7766' })
  }

  /** Checks that the account's settings now have this linked bank account, and that the change had an account event. */
  async #expectLink(linked_bank_account_id: string | null): Promise<void> {
    const { account } = this.#models
    await account.look((before, after) => {
      const { charges, payouts } = before.settings as Record<'charges' | 'payouts', object>
      const settings = { charges: { ...charges, linked_bank_account_id }, payouts: { ...payouts, linked_bank_account_id } }
      expect(after).toEqual({ ...before, settings, updated_at: after.updated_at })
    })
    account.expectEvent()
  }
}
