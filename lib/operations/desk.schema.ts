import * as z from 'zod'
import type { QueueCounts } from '@/lib/pages'
import type { LoggedCall } from './activity'
import type { ActionView, MirrorState } from './answer'
import type { ChangedRows } from './changes'
import { type Claim, claimableResources } from './claims'
import { id } from './common.schema'
import { type ExportedList, exportedLists } from './desk/exports'
import type { FindResult } from './find'
import type { AccountChoice } from './page-context'
import type { RateBudget, ServiceReport } from './service-check'
import { type ServiceOperationId, serviceOperationIds } from './service-operations'

const target = z.string().regex(/^[a-z_]+\/[0-9a-f-]{36}$/, 'Must be like payouts/<uuid>.')
const serviceOperationIdSchema = z.enum(
  serviceOperationIds as [ServiceOperationId, ...ServiceOperationId[]],
  'Must be one of ours, like customers.create.',
)

/** The outcome of an action that a person states, with the evidence for it. */
export const actionDecisionInput = z.strictObject({
  id,
  outcome: z.enum(['applied', 'refused'], 'Must be applied or refused.'),
  evidence: z
    .string('Enter the evidence.')
    .trim()
    .min(20, 'Describe the evidence in more detail.')
    .max(500, 'Must be at most 500 characters.'),
})

/**
 * Schemas of the operations on actions. A response has the action in its field `action`. If the
 * action's write is settled and the service's response to it is stored, `data` is that response.
 */
const actionSchemas = {
  // Lists an object's actions (`target`), or the person's own open actions of a create operation.
  'actions.list': {
    input: z
      .strictObject({ target: target.optional(), operation: serviceOperationIdSchema.optional() })
      .refine(({ target: on, operation }) => (on === undefined) !== (operation === undefined), {
        error: 'Must be like payouts/<uuid>, unless an operation is named.',
        path: ['target'],
      }),
    output: z.custom<ActionView[]>(),
  },
  'actions.read': { input: z.strictObject({ id }), output: z.unknown() },
  'actions.check': { input: z.strictObject({ id }), output: z.unknown() },
  'actions.decide': { input: actionDecisionInput, output: z.unknown() },
}

const claimableResource = z.enum(
  claimableResources,
  `Must be one of ${claimableResources.join(', ')}.`,
)

/** `claims.take` returns the current claim: without `take_over`, it may be another person's. */
const claimSchemas = {
  'claims.read': {
    input: z.strictObject({ resource: claimableResource }),
    output: z.custom<Claim[]>(),
  },
  'claims.take': {
    input: z.strictObject({
      resource: claimableResource,
      id,
      take_over: z.boolean('Must be true or false.').default(false),
    }),
    output: z.custom<Claim>(),
  },
  'claims.give_back': {
    input: z.strictObject({ resource: claimableResource, id }),
    output: z.custom<null>(),
  },
}

/** `zone`: the time zone of times in the file. The other fields are filters, not parsed here. */
const exportSchemas = Object.fromEntries(
  exportedLists.map((list) => [
    `${list}.export`,
    { input: z.looseObject({ zone: z.unknown().optional() }), output: z.custom<never>() },
  ]),
) as unknown as {
  [L in ExportedList as `${L}.export`]: {
    input: z.ZodObject<{ zone: z.ZodOptional<z.ZodUnknown> }, z.core.$loose>
    output: z.ZodType<never>
  }
}

/** Schemas of Paydesk's own operations that have no file of their own. */
export const deskSchemas = {
  ...actionSchemas,
  ...claimSchemas,
  ...exportSchemas,
  'account_choices.list': {
    input: z.strictObject({}),
    output: z.custom<readonly AccountChoice[]>(),
  },
  'events.read': { input: z.strictObject({}), output: z.custom<ChangedRows[]>() },
  'find.search': {
    input: z.strictObject({
      text: z
        .string()
        .trim()
        .min(3, 'Must be 3 to 254 characters, percent-encoded.')
        .max(254, 'Must be 3 to 254 characters, percent-encoded.'),
    }),
    output: z.custom<FindResult>(),
  },
  // Untyped: `lib/operations` must not import `lib/features/limits/tracking`, which has the types.
  'limit_requests.list': { input: z.strictObject({}), output: z.unknown() },
  'limit_requests.use': { input: z.strictObject({}), output: z.unknown() },
  'queue_counts.read': {
    input: z.strictObject({}),
    output: z.custom<{ waiting: QueueCounts; mirror: MirrorState | null; notifications: number }>(),
  },
  'rate_budget.read': { input: z.strictObject({}), output: z.custom<RateBudget>() },
  // `parseCallFilter` parses the filter and ignores invalid values.
  'requests.list': { input: z.looseObject({}), output: z.custom<LoggedCall[]>() },
  'service.check': { input: z.strictObject({}), output: z.custom<ServiceReport>() },
}
