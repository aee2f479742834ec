'use client'

import { Fragment } from 'react'
import { Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { FactRead } from '@/components/kits/record/fact-read'
import { StatusBadge } from '@/components/ui/status-badge'
import { verdictWords } from '@/lib/domain/verdict-words'
import type { IdentityDetails } from '@/lib/operations/customer-review.schema'
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
  return (
    <>
      <Overall details={details} />
      {partsOf(details).map(({ id, part }) => (
        <Fragment key={id}>{part}</Fragment>
      ))}
    </>
  )
}

const gravity = (decision: string | undefined) => (decision === 'reject' ? 0 : decision === 'accept' ? 2 : 1)

/** The parts with what did not pass first: a reviewer reads from the top. */
function partsOf(details: IdentityDetails) {
  const worst = (...decisions: (string | undefined)[]) => Math.min(2, ...decisions.map(gravity))
  const { breakdown, kyc, watch_list: list, network_alerts: network, reputation } = details
  const given = (part: { decision?: string | undefined } | undefined) => (part ? worst(part.decision) : 2)
  const parts = [
    { id: 'modules', rank: worst(...Object.values(breakdown).map(({ decision }) => decision)), part: <ModulesPanel details={details} /> },
    { id: 'kyc', rank: given(kyc), part: <KycPanel details={details} /> },
    { id: 'watch_list', rank: given(list), part: <WatchListPanel details={details} /> },
    { id: 'network', rank: Math.min(given(network), given(reputation)), part: <NetworkPanel details={details} /> },
  ]
  return parts.sort((one, other) => one.rank - other.rank)
}

function Overall({ details }: { details: IdentityDetails }) {
  const verdict = verdictWords(details.decision)
  return (
    <h2 className="flex flex-wrap items-center gap-2 font-semibold text-sm">
      Evidence
      <StatusBadge tone={verdict.tone}>Overall: {verdict.label}</StatusBadge>
      <span className="ml-auto font-normal text-ink-3 text-xs">
        found <RelativeTime at={details.updated_at ?? details.created_at} show="ago" />
      </span>
    </h2>
  )
}

const ModulesPanel = ({ details }: { details: IdentityDetails }) => (
  <Panel title="Modules">
    <EvidenceModules details={details} />
  </Panel>
)
