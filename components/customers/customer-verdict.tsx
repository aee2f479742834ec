'use client'

import { RelativeTime } from '@/components/kits/layout/relative-time'
import { Notice } from '@/components/ui/notice'
import type { Fact } from '@/lib/domain/fact'
import { statusWords } from '@/lib/domain/status'
import { verdictWords } from '@/lib/domain/verdict-words'
import type { IdentityDetails } from '@/lib/operations/customer-review.schema'
import type { Customer, CustomerReview } from '@/lib/operations/customers.schema'

/** In one line where the customer stands and what speaks against it. The state counts; what the verification said stands beside it. */
export function CustomerVerdict({ customer, review }: { customer: Customer; review: Fact<CustomerReview> }) {
  const words = statusWords('customer', customer.status)
  const details = review.state === 'known' ? review.value.identity_details : undefined
  return (
    <Notice
      tone={words.tone}
      title={
        <span className="text-base">
          {words.label}: {details && customer.status === 'review' ? againstText(details) : words.meaning}
        </span>
      }
    >
      {review.state === 'missing' && <p>The evidence: {review.why}</p>}
      {review.state === 'known' && !details && <p>No verification has run yet, so there is no evidence.</p>}
      {details && (
        <p>
          The verification of <RelativeTime at={details.updated_at ?? details.created_at} /> ended with “
          {verdictWords(details.decision).label.toLowerCase()}”
          {disagrees(customer.status, details.decision) ? ', which is not the state it is in now: the state counts.' : '.'}
        </p>
      )}
    </Notice>
  )
}

/** A verification that passed somebody who is rejected, or the other way about: decided since, or an oddity of the service. */
const disagrees = (status: string, decision: string | undefined) =>
  (status === 'rejected' && decision === 'accept') || (status === 'verified' && decision !== 'accept')

const named = (names: readonly string[]) => (names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? ''))

function againstText(details: IdentityDetails): string {
  const parts = [
    ...Object.entries(details.breakdown).map(([name, { decision }]) => [name.replaceAll('_', ' '), decision] as const),
    ['identity fields', details.kyc?.decision] as const,
    ['watch lists', details.watch_list?.decision] as const,
    ['network alerts', details.network_alerts?.decision] as const,
    ['reputation', details.reputation?.decision] as const,
  ]
  const against = parts.flatMap(([name, decision]) => (decision !== undefined && decision !== 'accept' ? [name] : []))
  return against.length > 0 ? `${named(against)} did not pass.` : 'nothing did not pass; a person decides all the same.'
}
