import * as z from 'zod'
import { environments, roles } from './define'
import { governedIds, type PoliciesView, type PolicyPreview, type PolicyRule } from './policies'
import { type ServiceOperationId, serviceOperation } from './service-operations'

const role = z.enum(roles, `must be one of ${roles.join(', ')}`)
const hours = z.int('must be a whole number of hours').min(0, 'must be 0 or more').max(720, 'must be at most 720 hours')

const rule = z
  .strictObject({
    operation: z.enum(governedIds as [ServiceOperationId, ...ServiceOperationId[]], 'must be an operation that can need a second person'),
    environment: z.enum(environments, `must be one of ${environments.join(', ')}`).nullable(),
    account: z
      .string()
      .regex(/^acct_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'must be acct_ and a UUID')
      .nullable(),
    from: z.int('must be whole cents').min(0, 'must be 0 or more').max(1e15, 'is too large').nullable(),
    ask: z.array(role).min(1, 'choose who can ask').max(roles.length).readonly(),
    second: z.array(role).max(roles.length).readonly(),
  })
  .superRefine(({ operation, from, ask, second }, context) => {
    const { allow, amount } = serviceOperation(operation)
    if (ask.some((each) => !allow.includes(each))) {
      context.addIssue({ code: 'custom', path: ['ask'], message: `can only be ${allow.join(', ')}: no other role may do this` })
    }
    if (second.includes('viewer')) context.addIssue({ code: 'custom', path: ['second'], message: 'a viewer cannot approve' })
    if (from !== null && !amount) context.addIssue({ code: 'custom', path: ['from'], message: 'this operation has no amount' })
  })

const sameCase = ({ operation, environment, account, from }: PolicyRule) => [operation, environment, account, from].join(' ')

export const policySchema = z
  .strictObject({
    rules: z.array(rule).max(200, 'at most 200 rules').readonly(),
    cooling_off_hours: z.strictObject({ sandbox: hours, production: hours }),
  })
  .superRefine(({ rules }, context) => {
    rules.forEach((each, at) => {
      const first = rules.findIndex((other) => sameCase(other) === sameCase(each))
      if (first < at)
        context.addIssue({ code: 'custom', path: ['rules', at, 'operation'], message: `is the same case as rule ${first + 1}` })
    })
  })

const reason = z.string('enter why').trim().min(10, 'say why in at least 10 characters').max(300, 'must be at most 300 characters')
/** As a path has it. */
const version = z.string('must be a version').regex(/^[1-9]\d{0,8}$/, 'must be a version')

export const policySchemas = {
  'policies.read': { input: z.strictObject({}), output: z.custom<PoliciesView>() },
  'policies.preview': { input: z.strictObject({ policy: policySchema }), output: z.custom<PolicyPreview>() },
  'policies.propose': {
    input: z.strictObject({ based_on: z.int().min(0), policy: policySchema, reason }),
    output: z.custom<PoliciesView>(),
  },
  'policies.confirm': { input: z.strictObject({ version }), output: z.custom<PoliciesView>() },
  'policies.reject': { input: z.strictObject({ version }), output: z.custom<PoliciesView>() },
}
