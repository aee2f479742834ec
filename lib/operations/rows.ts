import { accountSettings } from './account-settings'
import { accounts } from './accounts'
import { bridge } from './bridge'
import { capabilityRequests } from './capability-requests'
import { charges } from './charges'
import { customers } from './customers'
import type { Effect, OperationRow, ReasonPolicy, Resource } from './define'
import { fundingEvents } from './funding-events'
import { linkedBankAccounts } from './linked-bank-accounts'
import { organizations } from './organizations'
import { paykeys } from './paykeys'
import { payments } from './payments'
import { payouts } from './payouts'
import { representatives } from './representatives'

/** The whole contract as plain data: what may be asked, by whom, in which scope, and what it makes stale. */
export const rows = {
  ...payouts,
  ...payments,
  ...charges,
  ...customers,
  ...paykeys,
  ...bridge,
  ...fundingEvents,
  ...accounts,
  ...accountSettings,
  ...capabilityRequests,
  ...organizations,
  ...representatives,
  ...linkedBankAccounts,
}

/** `resource.verb`: the same word in the registry, the query key, the audit row and the log. */
export type OperationId = keyof typeof rows

type WithEffect<E extends Effect> = { [K in OperationId]: (typeof rows)[K]['effect'] extends E ? K : never }[OperationId]

/** Operations that change nothing. */
export type ReadId = WithEffect<'read'>
/** Operations that go through the action book. */
export type WriteId = Exclude<OperationId, ReadId>

/** Operations that ask why: a form of one has to offer reasons. */
export type ReasonedId = { [K in WriteId]: (typeof rows)[K] extends { reason: ReasonPolicy } ? K : never }[WriteId]

/** All ids, in the order of the contract. */
export const operationIds = Object.keys(rows) as OperationId[]

/** The row of an operation, with its type widened to what every row has. */
export const rowOf = (id: OperationId): OperationRow => rows[id]

/** The resource an operation belongs to: the part before the dot. */
export const resourceOf = (id: OperationId): Resource => id.slice(0, id.indexOf('.')) as Resource

/** Whether a string is an operation id. */
export const isOperationId = (id: string): id is OperationId => Object.hasOwn(rows, id)
