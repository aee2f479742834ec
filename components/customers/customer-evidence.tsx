'use client'

import { Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { FactRead } from '@/components/kits/record/fact-read'
import { StatusBadge } from '@/components/ui/status-badge'
import { verdictWords } from '@/lib/domain/identity-codes'
import { EvidenceModules } from './evidence-modules'
import { KycPanel } from './kyc-panel'
import { NetworkPanel } from './network-panel'
import type { CustomerFacts } from './use-customer-facts'
import { WatchListPanel } from './watch-list-panel'

/** Everything the verification found, part by part. It is read on its own: without it the rest of the page stands. */
export function CustomerEvidence({ review }: { review: CustomerFacts['review'] }) {
  const details = review.fact.state === 'known' ? review.fact.value.identity_details : undefined
  if (!details) {
    return (
      <Panel title="Evidence">
        <FactRead fact={review.fact} onAgain={review.again}>
          {() => <p className="text-ink-2">No verification has run for this customer yet.</p>}
        </FactRead>
      </Panel>
    )
  }
  const verdict = verdictWords(details.decision)
  return (
    <>
      <Panel
        title="Modules"
        aside={
          <span className="flex items-center gap-2 text-ink-3 text-xs">
            <RelativeTime at={details.updated_at ?? details.created_at} show="ago" />
            <StatusBadge tone={verdict.tone}>Overall: {verdict.label}</StatusBadge>
          </span>
        }
      >
        <EvidenceModules details={details} />
      </Panel>
      <KycPanel details={details} />
      <WatchListPanel details={details} />
      <NetworkPanel details={details} />
    </>
  )
}
