import type { Account, AccountLimits } from '@/sandbox/accounts/account'
import { type AccountEntry, saveAccount } from '@/sandbox/accounts/account-machine'
import { makeUnprocessableProblem, type ProblemItem } from '@/sandbox/http/problem'
import { defineMachine, requireMove } from '@/sandbox/machine'
import type { Sandbox } from '@/sandbox/sandbox'
import { makeTimestamps, toIsoTime } from '@/sandbox/store/clock'
import { newId } from '@/sandbox/store/store'
import type { RequestedCapabilityChanges } from './capability-request-input'
import {
  adjustableLimits,
  type CapabilityRequest,
  type CapabilityRequestEntry,
  capabilityCategories,
  capabilityRequestStatuses,
  capabilityTypes,
} from './capability-request-store'

/**
 * Only the provider's compliance staff changes the status (provider-facts 3.5). A granted request
 * ends as `active` if it enables the capability, and as `inactive` if it disables it.
 */
export const capabilityRequestMachine = defineMachine({
  noun: 'capability request',
  states: capabilityRequestStatuses,
  moves: {
    review: { by: 'clock', from: ['in_review'], to: 'reviewing', done: 'taken up' },
    approve: { by: 'clock', from: ['in_review', 'reviewing'], to: 'approved', done: 'approved' },
    activate: {
      by: 'clock',
      from: ['in_review', 'reviewing', 'approved'],
      to: 'active',
      done: 'activated',
    },
    deactivate: {
      by: 'clock',
      from: ['in_review', 'reviewing', 'approved'],
      to: 'inactive',
      done: 'deactivated',
    },
    reject: { by: 'clock', from: ['in_review', 'reviewing'], to: 'rejected', done: 'rejected' },
  },
})

type CapabilityRequestMove = keyof typeof capabilityRequestMachine.moves

function findCapability({ capabilities }: AccountEntry['doc'], type: CapabilityRequest['type']) {
  return {
    ...capabilities.payment_types,
    ...capabilities.customer_types,
    ...capabilities.consent_types,
  }[type]
}

function applyCapabilityRequest(
  sandbox: Sandbox,
  { account, doc }: CapabilityRequestEntry,
  now: number,
): void {
  const accountEntry = account === null ? undefined : sandbox.accounts.at(account)
  if (!accountEntry) return
  findCapability(accountEntry.doc, doc.type).capability_status = doc.enable ? 'active' : 'inactive'
  if (doc.type === 'charges' || doc.type === 'payouts')
    Object.assign(accountEntry.doc.settings[doc.type], doc.settings)
  accountEntry.doc.updated_at = toIsoTime(now)
  saveAccount(sandbox, accountEntry, now)
}

const grantingMoves: readonly CapabilityRequestMove[] = ['approve', 'activate', 'deactivate']

export function moveCapabilityRequest(
  sandbox: Sandbox,
  entry: CapabilityRequestEntry,
  name: CapabilityRequestMove,
  now: number,
): void {
  const { doc } = entry
  requireMove(capabilityRequestMachine, name, doc.status)
  if (name === (doc.enable ? 'deactivate' : 'activate')) {
    const [requested, end] = doc.enable ? ['on', 'active'] : ['off', 'inactive']
    throw makeUnprocessableProblem(
      `A capability request to switch ${requested} can only become ${end}.`,
    )
  }
  const isGranted = grantingMoves.includes(name) && doc.status !== 'approved'
  doc.status = capabilityRequestMachine.moves[name].to
  doc.updated_at = toIsoTime(now)
  sandbox.capabilityRequests.save(entry)
  sandbox.events.changed(
    { resource: 'capability_request', accountId: doc.account_id, data: doc },
    now,
  )
  if (isGranted) applyCapabilityRequest(sandbox, entry, now)
}

type PaymentCapabilityChange = NonNullable<RequestedCapabilityChanges['charges']>

const ascendingLimitPairs = [
  ['max_amount', 'daily_amount'],
  ['daily_amount', 'monthly_amount'],
] as const

/** Finds limits above that of a longer period. A limit that the request omits keeps its value. */
function findLimitOrderProblems(
  type: 'charges' | 'payouts',
  requested: PaymentCapabilityChange,
  current: AccountLimits,
): ProblemItem[] {
  return ascendingLimitPairs.flatMap(([less, more]) => {
    if (requested[less] === undefined && requested[more] === undefined) return []
    if ((requested[less] ?? current[less]) <= (requested[more] ?? current[more])) return []
    return requested[less] === undefined
      ? [{ reference: `${type}.${more}`, detail: `must not be less than ${less}` }]
      : [{ reference: `${type}.${less}`, detail: `must not be more than ${more}` }]
  })
}

function requireAscendingLimits(changes: RequestedCapabilityChanges, { settings }: Account): void {
  const limitOrderProblems = (['charges', 'payouts'] as const).flatMap((type) => {
    const requestedChange = changes[type]
    return requestedChange?.enable
      ? findLimitOrderProblems(type, requestedChange, settings[type])
      : []
  })
  if (limitOrderProblems.length > 0)
    throw makeUnprocessableProblem('The limits do not fit together.', limitOrderProblems)
}

const toRequestedLimits = (requested: PaymentCapabilityChange): CapabilityRequest['settings'] => {
  const limitEntries = adjustableLimits.flatMap((name) =>
    requested[name] === undefined ? [] : [[name, requested[name]] as const],
  )
  return limitEntries.length === 0 ? null : Object.fromEntries(limitEntries)
}

export function makeCapabilityRequests(
  sandbox: Sandbox,
  { n, doc }: AccountEntry,
  changes: RequestedCapabilityChanges,
  now: number,
): CapabilityRequest[] {
  requireAscendingLimits(changes, doc)
  return capabilityTypes.flatMap((type) => {
    const requestedCapabilityChange = changes[type]
    if (!requestedCapabilityChange) return []
    const newRequest: CapabilityRequest = {
      id: newId(now),
      ...{
        account_id: doc.id,
        type,
        category: capabilityCategories[type],
        settings: toRequestedLimits(requestedCapabilityChange),
      },
      ...{ status: 'in_review', enable: requestedCapabilityChange.enable, ...makeTimestamps(now) },
    }
    sandbox.capabilityRequests.insert(n, newRequest, null)
    sandbox.events.created(
      { resource: 'capability_request', accountId: doc.id, data: newRequest },
      now,
    )
    return [newRequest]
  })
}
