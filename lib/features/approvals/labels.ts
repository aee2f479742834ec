import { sentence } from '@/lib/domain/sentence'
import { formatMinor } from '@/lib/money'
import type { ActionState, ActionView } from '@/lib/operations/answer'
import type { Role } from '@/lib/operations/define'
import { serviceOperation } from '@/lib/operations/service-operations'

/** What was asked for, as the head of a request: `Release a payout`, with its amount where it has one. */
export const requestTitle = ({ operation }: Pick<ActionView, 'operation'>, amount: number | null): string => {
  const words = sentence(serviceOperation(operation).verbPhrase)
  return amount === null ? words : `${words} · ${formatMinor(amount)}`
}

export const stateLabels: Partial<Record<ActionState, string>> = {
  awaiting_approval: 'Awaiting approval',
  sending: 'Approved, being sent',
  applied: 'Approved and done',
  refused: 'Approved, refused by the service',
  unknown: 'Approved, outcome unknown',
  needs_human: 'Approved, outcome needs a decision',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
  void: 'Void',
}

export const rolesLabel = (roles: readonly Role[]): string => (roles.length === 0 ? 'nobody' : roles.join(', '))
