import { z } from 'zod'
import { timestampSchema, uuidSchema } from '@/sandbox/http/read-body'
import { DocTable, type TableEntry } from '@/sandbox/store/doc-table'
import type { SqliteStore } from '@/sandbox/store/store'

/** Category of each capability that a client can request (provider-facts 2.1). */
export const capabilityCategories = {
  charges: 'payment_type',
  payouts: 'payment_type',
  individuals: 'customer_type',
  businesses: 'customer_type',
  signed_agreement: 'consent_type',
  internet: 'consent_type',
} as const

export const capabilityTypes = [
  'charges',
  'payouts',
  'individuals',
  'businesses',
  'signed_agreement',
  'internet',
] as const

export const capabilityRequestStatuses = [
  'in_review',
  'reviewing',
  'approved',
  'active',
  'inactive',
  'rejected',
] as const

export const adjustableLimits = [
  'max_amount',
  'daily_amount',
  'monthly_amount',
  'monthly_count',
] as const

/** `settings` are the requested limits, in cents (provider-facts 2.18). */
export const capabilityRequestSchema = z
  .strictObject({
    id: uuidSchema,
    account_id: uuidSchema,
    type: z.enum(capabilityTypes),
    category: z.enum(['payment_type', 'customer_type', 'consent_type']),
    settings: z.partialRecord(z.enum(adjustableLimits), z.int().min(1)).nullable(),
    status: z.enum(capabilityRequestStatuses),
    enable: z.boolean(),
    created_at: timestampSchema,
    updated_at: timestampSchema,
  })
  .meta({ id: 'CapabilityRequest' })

export type CapabilityRequest = z.infer<typeof capabilityRequestSchema>

export type CapabilityRequestEntry = TableEntry<CapabilityRequest>

export const createCapabilityRequestTable = (store: SqliteStore) =>
  new DocTable<CapabilityRequest>(store, {
    name: 'capability_requests',
    columns: {
      type: ({ type }) => type,
      category: ({ category }) => category,
      status: ({ status }) => status,
      created_at: ({ created_at }) => created_at,
    },
  })

export type CapabilityRequestTable = ReturnType<typeof createCapabilityRequestTable>
