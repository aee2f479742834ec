import type * as z from 'zod'
import { accountSettingsSchemas } from './account-settings.schema'
import { accountSchemas } from './accounts.schema'
import { bridgeSchemas } from './bridge.schema'
import { capabilityRequestSchemas } from './capability-requests.schema'
import { chargeSchemas } from './charges.schema'
import { customerSchemas } from './customers.schema'
import { fundingEventSchemas } from './funding-events.schema'
import { linkedBankAccountSchemas } from './linked-bank-accounts.schema'
import { organizationSchemas } from './organizations.schema'
import { paykeySchemas } from './paykeys.schema'
import { paymentSchemas } from './payments.schema'
import { payoutSchemas } from './payouts.schema'
import { representativeSchemas } from './representatives.schema'
import type { OperationId } from './rows'

type Carries = { input: z.ZodObject; output: z.ZodType }

/**
 * What every operation carries. Beside `rows` it completes the registry: an operation that has one half and not the other does not compile.
 * Browser code that needs only types imports this file as a type, so that zod stays out of a list's first load.
 */
export const schemas = {
  ...payoutSchemas,
  ...paymentSchemas,
  ...chargeSchemas,
  ...customerSchemas,
  ...paykeySchemas,
  ...bridgeSchemas,
  ...fundingEventSchemas,
  ...accountSchemas,
  ...accountSettingsSchemas,
  ...capabilityRequestSchemas,
  ...organizationSchemas,
  ...representativeSchemas,
  ...linkedBankAccountSchemas,
} satisfies Record<OperationId, Carries>

type Schemas = typeof schemas

/** What a caller passes to an operation: its path, query and body fields in one object. */
export type Input<K extends OperationId> = z.input<Schemas[K]['input']>

/** What an operation answers with, after the allow-list of its output schema. */
export type Output<K extends OperationId> = z.output<Schemas[K]['output']>

/** The schemas of an operation, with their types widened. */
export const schemasOf = (id: OperationId): Carries => schemas[id]
