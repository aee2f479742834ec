import { sql } from 'drizzle-orm'
import { schemasByOperation } from '@/lib/operations/registry'
import { upsertObjects } from '@/lib/server/mirror/upsert-objects'
import { getDatabase } from '@/lib/server/store/store'

export const [firstTime, secondTime, thirdTime] = [
  '2026-03-01T10:00:00.000Z',
  '2026-03-02T10:00:00.000Z',
  '2026-03-03T10:00:00.000Z',
]
export const environment = 'sandbox' as const

type PaymentFields = Record<string, unknown>

export const buildCustomerFields = (customerId: string) => ({
  id: customerId,
  name: 'Ana Example',
  customer_type: 'individual',
  email: 'ana@example.com',
  phone: '+15125550100',
})

const buildRawPaymentSummary = (id: string, more: PaymentFields = {}) => ({
  ...{
    id,
    payment_type: 'payout',
    payment_date: '2026-03-04',
    description: 'Rent of March',
    external_id: 'REF-1',
    amount: '12500',
    currency: 'USD',
  },
  ...{
    status: 'created',
    status_details: { reason: 'ok', source: 'system', message: 'Created', changed_at: firstTime },
  },
  ...{
    funding_ids: [],
    trace_ids: {},
    related_payments: [],
    created_at: firstTime,
    updated_at: firstTime,
    metadata: { order: '7' },
  },
  ...{ is_refund: false, has_refund: false, is_resubmit: false, has_resubmit: false, ...more },
})
export const buildPaymentSummary = (id: string, more: PaymentFields = {}) => {
  const [parsedSummary] = schemasByOperation['payments.search'].output.parse([
    buildRawPaymentSummary(id, more),
  ])
  if (!parsedSummary) throw new Error('nothing was read')
  return parsedSummary
}
export const buildPayout = (id: string, more: PaymentFields = {}) => {
  const { payment_type: _type, has_refund: _flag, ...sent } = buildRawPaymentSummary(id, more)
  return schemasByOperation['payouts.get'].output.parse({
    ...sent,
    paykey: '255***.02.******78f',
    status_history: [
      {
        status: 'created',
        reason: 'ok',
        source: 'system',
        message: 'Created',
        changed_at: firstTime,
      },
    ],
  })
}

type UpsertInput = Parameters<typeof upsertObjects>[0]
export const buildUpsertOptions = (more: Partial<UpsertInput> = {}) => ({
  environment,
  account: null,
  seenBy: 'read' as const,
  seenAt: new Date(firstTime),
  ...more,
})
export const upsertListedPayments = (
  objects: Parameters<typeof upsertObjects<'payments'>>[0]['objects'],
  more: Partial<UpsertInput> = {},
) => upsertObjects({ ...buildUpsertOptions(more), resource: 'payments', objects })
export const upsertPayoutRecords = (
  objects: ReturnType<typeof buildPayout>[],
  more: Partial<UpsertInput> = {},
) => upsertObjects({ ...buildUpsertOptions(more), resource: 'payouts', objects })

export const readMirrorRow = async (id: string, table = 'mirror_payments') => {
  const db = await getDatabase()
  const { rows } = (await db.execute(
    sql`select * from ${sql.identifier(table)} where environment = ${environment} and id = ${id}`,
  )) as unknown as {
    rows: (PaymentFields & {
      object: PaymentFields
      record: PaymentFields | null
      account_id: string | null
    })[]
  }
  return rows[0]
}
