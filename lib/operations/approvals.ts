import * as z from 'zod'
import type { ActionView } from './answer'
import { id } from './common.schema'
import type { Role } from './define'
import { centsBound } from './input.schema'
import { governedOperationIds, requestTextBounds } from './policies'
import type { ServiceOperationId } from './service-operations'

/** A question of an approver. `answer` and `answered_at` are null until the requester answers. */
export type ApprovalQuestion = {
  id: string
  asked_by: string
  asked_at: string
  question: string
  answer: string | null
  answered_at: string | null
}

/**
 * `amount`: cents; null if there is none or it cannot be read. `payee`: name and bank account of
 * the other side of a payment, masked; null if there is none. `second`: the roles that may approve.
 * `disabled_reason`: why the signed-in person may not; otherwise null. `questions`: oldest first.
 * `first_approval`: the first of two approvals; null until then.
 */
export type ApprovalRequest = {
  action: ActionView
  amount: number | null
  payee: string | null
  questions: readonly ApprovalQuestion[]
  approvers_needed: 1 | 2
  first_approval: { by: string; at: string } | null
  second: readonly Role[]
  policy_version: number
  disabled_reason: string | null
}

/**
 * `second`: the roles that can approve; empty if no approval is needed. `possible`: false if the
 * policy blocks the write or no other person can approve it.
 */
export type ApprovalNeed = { second: readonly Role[]; possible: boolean }

/** `seen`: the value that the requester saw, `now`: the current one. Both are null if absent. */
export type ComparedField = {
  name: string
  seen: string | null
  now: string | null
  changed: boolean
}

/**
 * `fields`: null if the requester saw no data of the object. `unread`: why the object could not be
 * read now. `sent`: the payload that would be sent, with secret values masked.
 */
export type ApprovalDetail = ApprovalRequest & {
  fields: readonly ComparedField[] | null
  unread: string | null
  sent: readonly { name: string; value: string }[]
}

const governedOperation = z.enum(
  governedOperationIds as [ServiceOperationId, ...ServiceOperationId[]],
  'Must be an operation that can need a second person.',
)

const requestText = (missingText: string) =>
  z
    .string(missingText)
    .trim()
    .min(requestTextBounds.min, `Explain in at least ${requestTextBounds.min} characters.`)
    .max(requestTextBounds.max, `Must be at most ${requestTextBounds.max} characters.`)

/**
 * `approvals.approve` returns the response of the approved write. The `target` of
 * `approvals.needed` is omitted if the write creates an object; `amount` and `paykey_id` are those
 * in the request, if it has them.
 */
export const approvalSchemas = {
  'approvals.list': {
    input: z.strictObject({
      which: z.enum(['waiting', 'answered'], 'Must be waiting or answered.').default('waiting'),
    }),
    output: z.custom<ApprovalRequest[]>(),
  },
  'approvals.needed': {
    input: z.strictObject({
      operation: governedOperation,
      target: z
        .string()
        .regex(/^[a-z_]+\/[0-9a-f-]{36}$/, 'Must be like payouts/<uuid>.')
        .optional(),
      amount: centsBound,
      paykey_id: id.optional(),
    }),
    output: z.custom<ApprovalNeed>(),
  },
  'approvals.read': { input: z.strictObject({ id }), output: z.custom<ApprovalDetail>() },
  'approvals.approve': { input: z.strictObject({ id }), output: z.unknown() },
  'approvals.reject': {
    input: z.strictObject({ id, reason: requestText('Enter a reason.') }),
    output: z.unknown(),
  },
  'approvals.ask': {
    input: z.strictObject({ id, question: requestText('Enter a question.') }),
    output: z.unknown(),
  },
  'approvals.answer': {
    input: z.strictObject({ id, answer: requestText('Enter an answer.') }),
    output: z.unknown(),
  },
  'approvals.withdraw': { input: z.strictObject({ id }), output: z.unknown() },
}
