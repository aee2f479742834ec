import { amountFaultText, centsOf, formatMinor } from '@/lib/money'
import type { Environment, Role } from '@/lib/operations/define'
import { governedIds, type Policy, type PolicyRule } from '@/lib/operations/policies'
import { type ServiceOperationId, serviceOperation } from '@/lib/operations/service-operations'

/** A rule as its fields hold it; `key` tells rows apart while they are edited. */
export type RuleDraft = {
  key: number
  operation: ServiceOperationId
  environment: Environment | ''
  account: string
  from: string
  ask: readonly Role[]
  second: readonly Role[]
}

/** A policy as its form holds it. */
export type PolicyDraft = { rules: readonly RuleDraft[]; hours: Readonly<Record<Environment, string>> }

const draftOf = (rule: PolicyRule, key: number): RuleDraft => ({
  ...rule,
  key,
  environment: rule.environment ?? '',
  account: rule.account ?? '',
  from: rule.from === null ? '' : formatMinor(rule.from),
})

export const policyDraft = ({ rules, cooling_off_hours }: Policy): PolicyDraft => ({
  rules: rules.map(draftOf),
  hours: { sandbox: String(cooling_off_hours.sandbox), production: String(cooling_off_hours.production) },
})

/** A new rule: for the first operation, with everybody who may do it asking and an admin approving. */
export const newRule = (rules: readonly RuleDraft[]): RuleDraft => ofOperation(rules.reduce((most, { key }) => Math.max(most, key), 0) + 1)

const firstGoverned = governedIds[0] as ServiceOperationId

/** The rule of another operation: who may ask follows from who may do it. */
export const ofOperation = (key: number, operation: ServiceOperationId = firstGoverned): RuleDraft => ({
  key,
  operation,
  environment: '',
  account: '',
  from: '',
  ask: serviceOperation(operation).allow,
  second: ['admin'],
})

/** What the draft asks for, and what is no amount or number in it, each by the field's path as the server names it. */
export function policyOf({ rules, hours }: PolicyDraft): { policy: Policy; faults: Readonly<Record<string, string>> } {
  const faults: Record<string, string> = {}
  const from = (rule: RuleDraft, at: number) => {
    if (rule.from.trim() === '') return null
    const fault = amountFaultText(rule.from)
    if (fault) faults[`policy.rules.${at}.from`] = fault
    return centsOf(rule.from)
  }
  const hoursOf = (environment: Environment) => {
    const typed = hours[environment].trim()
    if (!/^\d{1,3}$/.test(typed)) faults[`policy.cooling_off_hours.${environment}`] = 'must be a whole number of hours'
    return Number(typed)
  }
  const policy: Policy = {
    rules: rules.map((rule, at) => ({
      operation: rule.operation,
      environment: rule.environment === '' ? null : rule.environment,
      account: rule.account === '' ? null : rule.account,
      from: from(rule, at),
      ask: rule.ask,
      second: rule.second,
    })),
    cooling_off_hours: { sandbox: hoursOf('sandbox'), production: hoursOf('production') },
  }
  return { policy, faults }
}
