import { statusWords, type Tone } from '@/lib/domain/status'
import type { CustomerSummary } from '@/lib/operations/customers.schema'

/** A row of the list, in words. Contact data is masked. */
export type CustomerRow = {
  id: string
  name: string
  kind: string
  contact: string
  status: string
  tone: Tone
  external_id: string | undefined
  created_at: string | undefined
  /** `acct_…` where it is known. */
  account: string | null
}

/** A customer of the list as a row. */
export function rowOf(customer: CustomerSummary, account: string | null): CustomerRow {
  const words = statusWords('customer', customer.status)
  return {
    id: customer.id,
    name: customer.name,
    kind: customer.type ?? 'unknown',
    contact: [customer.email, customer.phone].filter(Boolean).join(' · '),
    status: words.label,
    tone: words.tone,
    external_id: customer.external_id,
    created_at: customer.created_at,
    account,
  }
}
