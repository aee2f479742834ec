import { capitalizeFirst } from '@/lib/formats'
import { moneyText } from '@/lib/money'
import type { ActionState, ActionView } from '@/lib/operations/answer'
import type { Role } from '@/lib/operations/define'
import type { PolicyCondition, PolicyRule } from '@/lib/operations/policies'
import { getServiceOperation } from '@/lib/operations/service-operations'

export const formatRequestTitle = (
  { operation }: Pick<ActionView, 'operation'>,
  amount: number | null,
): string => {
  const operationTitle = capitalizeFirst(getServiceOperation(operation).verbPhrase)
  return amount === null ? operationTitle : `${operationTitle} · ${moneyText(amount)}`
}

export const actionStateLabels: Partial<Record<ActionState, string>> = {
  awaiting_approval: 'Awaiting approval',
  sending: 'Approved, being sent',
  applied: 'Approved',
  refused: 'Approved, refused by the service',
  unknown: 'Approved, outcome unknown',
  needs_human: 'Approved, outcome needs a decision',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
  void: 'Void',
}

const formatDays = (count: number) =>
  count === 1 ? '1 day' : `${count.toLocaleString('en-US')} days`

function formatCondition(condition: PolicyCondition): string {
  switch (condition.is) {
    case 'amount':
      return `the amount is ${moneyText(condition.from)} or more`
    case 'day_sum':
      return `it brings the requester’s total of the day above ${moneyText(condition.above)}`
    case 'first_payment':
      return 'no payment with this bank account was ever paid'
    case 'new_bank_account':
      return `the bank account was added less than ${formatDays(condition.days)} ago`
    case 'raise':
      return 'it raises the amount of a payment that was released or approved'
  }
}

export const formatRuleConditions = (when: PolicyRule['when']): string =>
  when.map((group) => group.map(formatCondition).join(' and ')).join(', or ')

export function formatProofValidity(minutes: number): string {
  const whenAsked =
    'Paydesk asks a person to confirm their identity before they move money, reveal masked data or export.'
  if (minutes === 0) return `${whenAsked} It asks each time.`
  const duration = minutes === 1 ? '1 minute' : `${minutes} minutes`
  return `${whenAsked} A confirmation is valid for ${duration}, but not for an action that needs a second person: there, Paydesk always asks.`
}

export const formatRoleAlternatives = (roles: readonly Role[]): string =>
  roles.length === 0 ? 'nobody' : orListFormat.format(roles)

const orListFormat = new Intl.ListFormat('en-US', { type: 'disjunction' })
