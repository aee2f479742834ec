import * as z from 'zod'
import { environments, roles } from './define'
import {
  governedOperationIds,
  isBlockOnlyOperation,
  listConditionKinds,
  type PoliciesView,
  type PolicyCondition,
  type PolicyPreview,
  type PolicyRule,
  ruleControls,
} from './policies'
import { getServiceOperation, type ServiceOperationId } from './service-operations'

const roleSchema = z.enum(roles, `Must be one of ${roles.join(', ')}.`)
const coolingOffHoursSchema = z
  .int('Must be a whole number of hours.')
  .min(0, 'Must be 0 or more.')
  .max(720, 'Must be at most 720 hours.')

const cents = z.int('Must be whole cents.').min(0, 'Must be 0 or more.').max(1e15, 'Is too large.')

const conditionSchema = z.discriminatedUnion(
  'is',
  [
    z.strictObject({ is: z.literal('amount'), from: cents }),
    z.strictObject({ is: z.literal('day_sum'), above: cents }),
    z.strictObject({ is: z.literal('first_payment') }),
    z.strictObject({
      is: z.literal('new_bank_account'),
      days: z
        .int('Must be a whole number of days.')
        .min(1, 'Must be 1 or more.')
        .max(3650, 'Must be at most 3,650 days.'),
    }),
    z.strictObject({ is: z.literal('raise') }),
  ],
  'Must be a condition.',
)

/** The error for a condition that the operation of the rule cannot have. */
const unavailableConditionTexts: Readonly<Record<PolicyCondition['is'], string>> = {
  amount: 'this operation has no amount',
  day_sum: 'this operation has no amount',
  first_payment: 'this operation pays no bank account',
  new_bank_account: 'this operation pays no bank account',
  raise: 'this operation does not change an amount',
}

const ruleSchema = z
  .strictObject({
    operation: z.enum(
      governedOperationIds as [ServiceOperationId, ...ServiceOperationId[]],
      'Must be an operation that can need a second person.',
    ),
    environment: z.enum(environments, `Must be one of ${environments.join(', ')}.`).nullable(),
    account: z
      .string()
      .regex(/^acct_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'Must be acct_ and a UUID.')
      .nullable(),
    when: z
      .array(
        z
          .array(conditionSchema)
          .min(1, 'Add a condition.')
          .max(5, 'Use at most 5 conditions.')
          .readonly(),
      )
      .max(10, 'Use at most 10 groups.')
      .readonly(),
    control: z.enum(ruleControls, `Must be one of ${ruleControls.join(', ')}.`),
    ask: z.array(roleSchema).min(1, 'Choose who can ask.').max(roles.length).readonly(),
    second: z.array(roleSchema).max(roles.length).readonly(),
    approvers: z.literal(2, 'Must be 2, or not be set.').optional(),
  })
  .superRefine(({ operation, when, control, ask, second }, context) => {
    const { allow } = getServiceOperation(operation)
    if (ask.some((each) => !allow.includes(each))) {
      context.addIssue({
        code: 'custom',
        path: ['ask'],
        message: `can only be ${allow.join(', ')}: no other role may do this`,
      })
    }
    if (second.includes('viewer'))
      context.addIssue({ code: 'custom', path: ['second'], message: 'A viewer cannot approve.' })
    if (control === 'approve' && isBlockOnlyOperation(operation)) {
      context.addIssue({
        code: 'custom',
        path: ['control'],
        message: 'Must be block: the answer is given once, so no request can wait.',
      })
    }
    when.forEach((group, at) => {
      group.forEach(({ is }, conditionIndex) => {
        const isConditionAvailable = listConditionKinds(operation).includes(is)
        if (!isConditionAvailable)
          context.addIssue({
            code: 'custom',
            path: ['when', at, conditionIndex, 'is'],
            message: unavailableConditionTexts[is],
          })
      })
    })
  })

const toRuleCaseKey = ({ operation, environment, account, when }: PolicyRule) =>
  JSON.stringify([operation, environment, account, when])

export const policySchema = z
  .strictObject({
    rules: z.array(ruleSchema).max(200, 'Use at most 200 rules.').readonly(),
    cooling_off_hours: z.strictObject({
      sandbox: coolingOffHoursSchema,
      production: coolingOffHoursSchema,
    }),
    proof_minutes: z
      .int('Must be a whole number of minutes.')
      .min(0, 'Must be 0 or more.')
      .max(60, 'Must be at most 60 minutes.'),
  })
  .superRefine(({ rules }, context) => {
    rules.forEach((each, at) => {
      const firstIndex = rules.findIndex((other) => toRuleCaseKey(other) === toRuleCaseKey(each))
      if (firstIndex < at)
        context.addIssue({
          code: 'custom',
          path: ['rules', at, 'operation'],
          message: `is the same case as rule ${firstIndex + 1}`,
        })
    })
  })

const policyReason = z
  .string('Enter a reason.')
  .trim()
  .min(10, 'Explain in at least 10 characters.')
  .max(300, 'Must be at most 300 characters.')
/** The version number of a policy, as text in the path of a URL. */
const versionSchema = z.string('Must be a version.').regex(/^[1-9]\d{0,8}$/, 'Must be a version.')

export const policySchemas = {
  'policies.read': { input: z.strictObject({}), output: z.custom<PoliciesView>() },
  'policies.preview': {
    input: z.strictObject({ policy: policySchema }),
    output: z.custom<PolicyPreview>(),
  },
  'policies.propose': {
    input: z.strictObject({ based_on: z.int().min(0), policy: policySchema, reason: policyReason }),
    output: z.custom<PoliciesView>(),
  },
  'policies.confirm': {
    input: z.strictObject({ version: versionSchema }),
    output: z.custom<PoliciesView>(),
  },
  'policies.reject': {
    input: z.strictObject({ version: versionSchema }),
    output: z.custom<PoliciesView>(),
  },
}
