import { amountFaultText, formatMinor, parseCents, parseCount } from '@/lib/money'
import type { Environment, Role } from '@/lib/operations/define'
import { type Condition, canOnlyBlock, governedIds, type Policy, type PolicyRule, type RuleControl } from '@/lib/operations/policies'
import { type ServiceOperationId, serviceOperation } from '@/lib/operations/service-operations'

/** A condition in the form. `key` is its React key. */
export type ConditionDraft = { key: number; is: Condition['is']; value: string }

/** A rule in the form. `key` is its React key; `ask` and `second` are the roles that request and approve. */
export type RuleDraft = {
  key: number
  operation: ServiceOperationId
  environment: Environment | ''
  account: string
  when: readonly (readonly ConditionDraft[])[]
  control: RuleControl
  ask: readonly Role[]
  second: readonly Role[]
}

export type PolicyDraft = { rules: readonly RuleDraft[]; hours: Readonly<Record<Environment, string>>; minutes: string }

/** The field name of a condition's value, by kind of condition. The other kinds have no value. */
export const valueFieldNames: Readonly<Partial<Record<Condition['is'], string>>> = {
  amount: 'from',
  day_sum: 'above',
  new_bank_account: 'days',
}

let lastKey = 0
const createKey = (): number => {
  lastKey += 1
  return lastKey
}

export const createConditionDraft = (is: Condition['is'], value = ''): ConditionDraft => ({ key: createKey(), is, value })

function toConditionDraft(condition: Condition): ConditionDraft {
  if (condition.is === 'amount') return createConditionDraft('amount', formatMinor(condition.from))
  if (condition.is === 'day_sum') return createConditionDraft('day_sum', formatMinor(condition.above))
  return createConditionDraft(condition.is, condition.is === 'new_bank_account' ? String(condition.days) : '')
}

const toRuleDraft = ({ when, ...rule }: PolicyRule): RuleDraft => ({
  ...rule,
  key: createKey(),
  environment: rule.environment ?? '',
  account: rule.account ?? '',
  when: when.map((group) => group.map(toConditionDraft)),
})

export const toPolicyDraft = ({ rules, cooling_off_hours, proof_minutes }: Policy): PolicyDraft => ({
  rules: rules.map(toRuleDraft),
  hours: { sandbox: String(cooling_off_hours.sandbox), production: String(cooling_off_hours.production) },
  minutes: String(proof_minutes),
})

const firstGovernedOperation = governedIds[0] as ServiceOperationId

/** Returns a new rule for an operation: every role that may run the operation can request it, and an admin approves. */
export const createRuleDraft = (operation: ServiceOperationId = firstGovernedOperation, key: number = createKey()): RuleDraft => ({
  key,
  operation,
  environment: '',
  account: '',
  when: [],
  control: canOnlyBlock(operation) ? 'block' : 'approve',
  ask: serviceOperation(operation).allow,
  second: ['admin'],
})

type Faults = Record<string, string>

/** Returns the condition of a draft. If its value is not an amount or a number, adds an error to `faults`, whose key starts with `at`. */
function parseCondition({ is, value }: ConditionDraft, at: string, faults: Faults): Condition {
  const parseCentsOrFault = (field: string) => {
    const fault = amountFaultText(value)
    if (fault) faults[`${at}.${field}`] = fault
    return parseCents(value) ?? 0
  }
  if (is === 'amount') return { is, from: parseCentsOrFault('from') }
  if (is === 'day_sum') return { is, above: parseCentsOrFault('above') }
  if (is !== 'new_bank_account') return { is }
  const days = parseCount(value)
  if (days === null) faults[`${at}.days`] = 'Must be a whole number of days.'
  return { is, days: days ?? 0 }
}

/**
 * Returns the policy of a draft. `faults` has an error for each field that is not an amount or a number, by the server's name of the field.
 */
export function parsePolicy({ rules, hours, minutes }: PolicyDraft): { policy: Policy; faults: Readonly<Faults> } {
  const faults: Faults = {}
  const parseWholeNumber = (typed: string, field: string, unit: string) => {
    if (!/^\d{1,3}$/.test(typed.trim())) faults[`policy.${field}`] = `must be a whole number of ${unit}`
    return Number(typed.trim())
  }
  const policy: Policy = {
    rules: rules.map((rule, at) => ({
      operation: rule.operation,
      environment: rule.environment === '' ? null : rule.environment,
      account: rule.account === '' ? null : rule.account,
      when: rule.when.map((group, of) =>
        group.map((condition, place) => parseCondition(condition, `policy.rules.${at}.when.${of}.${place}`, faults)),
      ),
      control: rule.control,
      ask: rule.ask,
      second: rule.second,
    })),
    cooling_off_hours: {
      sandbox: parseWholeNumber(hours.sandbox, 'cooling_off_hours.sandbox', 'hours'),
      production: parseWholeNumber(hours.production, 'cooling_off_hours.production', 'hours'),
    },
    proof_minutes: parseWholeNumber(minutes, 'proof_minutes', 'minutes'),
  }
  return { policy, faults }
}
