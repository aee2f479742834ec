import {
  formatMinorUnits,
  getAmountFaultText,
  parseCents,
  parseTypedWholeNumber,
} from '@/lib/money'
import type { Environment, Role } from '@/lib/operations/define'
import {
  governedOperationIds,
  isBlockOnlyOperation,
  type Policy,
  type PolicyCondition,
  type PolicyRule,
  type RuleControl,
} from '@/lib/operations/policies'
import { getServiceOperation, type ServiceOperationId } from '@/lib/operations/service-operations'

/** `key` is the condition's React key. */
export type ConditionDraft = { key: number; is: PolicyCondition['is']; value: string }

/** `key` is the React key. `ask` are the roles that can request, `second` those that approve. */
export type RuleDraft = {
  key: number
  operation: ServiceOperationId
  environment: Environment | ''
  account: string
  when: readonly (readonly ConditionDraft[])[]
  control: RuleControl
  ask: readonly Role[]
  second: readonly Role[]
  approvers?: 2 | undefined
}

export type PolicyDraft = {
  rules: readonly RuleDraft[]
  hours: Readonly<Record<Environment, string>>
  minutes: string
}

/** The field that contains a condition's value, by kind. The other kinds have no value. */
export const valueFieldNames: Readonly<Partial<Record<PolicyCondition['is'], string>>> = {
  amount: 'from',
  day_sum: 'above',
  new_bank_account: 'days',
}

let lastReactKey = 0
const createReactKey = (): number => {
  lastReactKey += 1
  return lastReactKey
}

export const createConditionDraft = (is: PolicyCondition['is'], value = ''): ConditionDraft => ({
  key: createReactKey(),
  is,
  value,
})

function toConditionDraft(condition: PolicyCondition): ConditionDraft {
  if (condition.is === 'amount')
    return createConditionDraft('amount', formatMinorUnits(condition.from))
  if (condition.is === 'day_sum')
    return createConditionDraft('day_sum', formatMinorUnits(condition.above))
  return createConditionDraft(
    condition.is,
    condition.is === 'new_bank_account' ? String(condition.days) : '',
  )
}

const toRuleDraft = ({ when, ...rule }: PolicyRule): RuleDraft => ({
  ...rule,
  key: createReactKey(),
  environment: rule.environment ?? '',
  account: rule.account ?? '',
  when: when.map((group) => group.map(toConditionDraft)),
})

export const toPolicyDraft = ({
  rules,
  cooling_off_hours,
  proof_minutes,
}: Policy): PolicyDraft => ({
  rules: rules.map(toRuleDraft),
  hours: {
    sandbox: String(cooling_off_hours.sandbox),
    production: String(cooling_off_hours.production),
  },
  minutes: String(proof_minutes),
})

const firstGovernedOperation = governedOperationIds[0] as ServiceOperationId

/**
 * Returns a rule with default values: every role that may run the operation can request it, and an
 * admin approves.
 */
export const createRuleDraft = (
  operation: ServiceOperationId = firstGovernedOperation,
  key: number = createReactKey(),
): RuleDraft => ({
  key,
  operation,
  environment: '',
  account: '',
  when: [],
  control: isBlockOnlyOperation(operation) ? 'block' : 'approve',
  ask: getServiceOperation(operation).allow,
  second: ['admin'],
})

type FaultsByField = Record<string, string>

/** An invalid value adds an error to `faults`, under the condition's path and the field name. */
function parseCondition(
  { is, value }: ConditionDraft,
  conditionPath: string,
  faults: FaultsByField,
): PolicyCondition {
  const parseCentsOrFault = (field: string) => {
    const fault = getAmountFaultText(value)
    if (fault) faults[`${conditionPath}.${field}`] = fault
    return parseCents(value) ?? 0
  }
  if (is === 'amount') return { is, from: parseCentsOrFault('from') }
  if (is === 'day_sum') return { is, above: parseCentsOrFault('above') }
  if (is !== 'new_bank_account') return { is }
  const days = parseTypedWholeNumber(value)
  if (days === null) faults[`${conditionPath}.days`] = 'Must be a whole number of days.'
  return { is, days: days ?? 0 }
}

/**
 * The keys of `faults` are the field paths that the server uses in its own errors, so that the form
 * can show both kinds of errors at their fields.
 */
export function parsePolicy({ rules, hours, minutes }: PolicyDraft): {
  policy: Policy
  faults: Readonly<FaultsByField>
} {
  const faults: FaultsByField = {}
  const parseWholeNumber = (typed: string, field: string, unit: string) => {
    if (!/^\d{1,3}$/.test(typed.trim()))
      faults[`policy.${field}`] = `must be a whole number of ${unit}`
    return Number(typed.trim())
  }
  const policy: Policy = {
    rules: rules.map((rule, at) => ({
      operation: rule.operation,
      environment: rule.environment === '' ? null : rule.environment,
      account: rule.account === '' ? null : rule.account,
      when: rule.when.map((group, of) =>
        group.map((condition, place) =>
          parseCondition(condition, `policy.rules.${at}.when.${of}.${place}`, faults),
        ),
      ),
      control: rule.control,
      ask: rule.ask,
      second: rule.second,
      ...(rule.approvers ? { approvers: rule.approvers } : {}),
    })),
    cooling_off_hours: {
      sandbox: parseWholeNumber(hours.sandbox, 'cooling_off_hours.sandbox', 'hours'),
      production: parseWholeNumber(hours.production, 'cooling_off_hours.production', 'hours'),
    },
    proof_minutes: parseWholeNumber(minutes, 'proof_minutes', 'minutes'),
  }
  return { policy, faults }
}
