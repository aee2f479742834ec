'use client'

import { Fragment } from 'react'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { VerificationCodeList } from '@/components/kits/record/code-list'
import { ReadResultBlock } from '@/components/kits/record/read-value'
import { cn } from '@/components/ui/cn'
import { StatusBadge } from '@/components/ui/tone'
import { findOwnValue } from '@/lib/domain/service-words'
import { getCorrelationWords, getVerdictWords, toScoreWords } from '@/lib/domain/verification'
import { toRiskWords } from '@/lib/features/customers/reputation'
import type { IdentityDetails } from '@/lib/operations/customers.schema'
import { KycPanel } from './kyc-panel'
import { NetworkPanel, ScoreBar } from './network-panel'
import type { CustomerRelatedReads } from './use-facts'

function WatchListPanel({ details }: { details: IdentityDetails }) {
  const { watch_list: list, messages } = details
  if (!list) return null
  const verdict = getVerdictWords(list.decision)
  const listsWithoutDetails = list.matched.filter(
    (name) => !list.matches.some((match) => match.list_name === name),
  )
  return (
    <Panel
      title="Watch lists"
      aside={<StatusBadge tone={verdict.tone}>{verdict.label}</StatusBadge>}
    >
      {list.matches.length === 0 && listsWithoutDetails.length === 0 && (
        <p className="text-ink-2">No watch list matches.</p>
      )}
      <ul className="grid gap-3">
        {list.matches.map((match, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a list may have several entries under one name, and their order is the service's
          <WatchListMatchRow key={`${match.list_name} ${at}`} match={match} />
        ))}
        {listsWithoutDetails.map((name) => (
          <li key={name} className="font-medium">
            <ExternalText>{name}</ExternalText>{' '}
            <span className="font-normal text-ink-3 text-xs">no details sent</span>
          </li>
        ))}
      </ul>
      <VerificationCodeList codes={list.codes} messages={messages} />
    </Panel>
  )
}

const listFormat = new Intl.ListFormat('en-US')

const matchFieldLabels: Readonly<Record<string, string>> = { dob: 'date of birth', ssn: 'SSN' }
const matchFieldLabel = (field: string) =>
  findOwnValue(matchFieldLabels, field) ?? field.replaceAll('_', ' ')

type WatchListMatch = NonNullable<IdentityDetails['watch_list']>['matches'][number]

function WatchListMatchRow({ match }: { match: WatchListMatch }) {
  const correlation = match.correlation ? getCorrelationWords(match.correlation) : null
  return (
    <li className="grid gap-0.5">
      <div className="flex flex-wrap items-center gap-2">
        <ExternalText className="font-medium">{match.list_name ?? 'Unnamed list'}</ExternalText>
        {/* A high correlation with a sanctions list is a risk. Elsewhere it has the tone `good`, so the tone is fixed here. */}
        {correlation && <StatusBadge tone="held">{correlation.label}</StatusBadge>}
      </div>
      <p className="text-ink-2 text-sm">
        Matched by{' '}
        {match.match_fields.length > 0
          ? listFormat.format(match.match_fields.map(matchFieldLabel))
          : 'unnamed fields'}
        .
      </p>
      {match.urls.map((url) => (
        <a
          key={url}
          href={url}
          target="_blank"
          rel="noreferrer noopener"
          className="w-fit max-w-full break-all text-accent text-sm hover:underline"
        >
          {url}
          <span className="sr-only"> (opens another site)</span>
        </a>
      ))}
    </li>
  )
}

type EvidenceModule = IdentityDetails['breakdown'][string]

const moduleLabels: Readonly<Record<string, string>> = {
  email: 'Email',
  phone: 'Phone',
  address: 'Address',
  fraud: 'Fraud',
  synthetic: 'Synthetic identity',
  business_identification: 'Business registration',
  business_validation: 'Business data',
  business_evaluation: 'Business status',
}

const rowGridClasses =
  'grid grid-cols-[minmax(0,0.9fr)_6.5rem_minmax(0,1fr)_minmax(0,1.25fr)] gap-x-3 gap-y-1 @max-md:grid-cols-2'

/** Most serious first: a reviewer looks for what did not pass. Undefined: no decision. */
const decisionsMostSeriousFirst = ['reject', 'review', undefined, 'accept']
const toSeverityRank = ({ decision }: EvidenceModule) => {
  const at = decisionsMostSeriousFirst.indexOf(decision)
  return at < 0 ? 2 : at
}

/** One row per module of the verification, such as email, phone or fraud. */
function EvidenceModules({ details }: { details: IdentityDetails }) {
  const modulesMostSeriousFirst = Object.entries(details.breakdown).sort(
    ([, one], [, other]) => toSeverityRank(one) - toSeverityRank(other),
  )
  if (modulesMostSeriousFirst.length === 0)
    return <p className="text-ink-3">The service returned no checks.</p>
  return (
    <>
      <p
        aria-hidden="true"
        className={cn(rowGridClasses, 'pb-1 text-ink-3 text-xs @max-md:hidden')}
      >
        <span className="col-start-3">Risk</span>
        <span>Correlation</span>
      </p>
      <ul aria-label="Checks" className="grid">
        {modulesMostSeriousFirst.map(([name, module]) => (
          <EvidenceModuleRow
            key={name}
            name={findOwnValue(moduleLabels, name) ?? name.replaceAll('_', ' ')}
            module={module}
            messages={details.messages}
          />
        ))}
      </ul>
    </>
  )
}

function EvidenceModuleRow({
  name,
  module,
  messages,
}: {
  name: string
  module: EvidenceModule
  messages: IdentityDetails['messages']
}) {
  const verdict = getVerdictWords(module.decision)
  const correlationScore = toScoreWords(module.correlation_score)
  // The service's own correlation label replaces the one that is derived from the score.
  const correlationLabel =
    correlationScore && module.correlation
      ? { ...correlationScore, ...getCorrelationWords(module.correlation) }
      : correlationScore
  return (
    <li className="grid gap-1 border-line border-b py-2 first:pt-0 last:border-b-0 last:pb-0">
      <div className={cn(rowGridClasses, 'items-center')}>
        <h3 className="font-medium text-sm">{name}</h3>
        <span>
          <StatusBadge tone={verdict.tone}>{verdict.label}</StatusBadge>
        </span>
        <ScoreBar what="Risk" score={toRiskWords(module.risk_score)} />
        <ScoreBar what="Correlation" score={correlationLabel} />
      </div>
      {module.reason && <p className="break-words text-ink-2 text-sm">{module.reason}</p>}
      <VerificationCodeList codes={module.codes} messages={messages} />
    </li>
  )
}

export function CustomerEvidence({ review }: { review: CustomerRelatedReads['review'] }) {
  const identityDetails = review.data?.identity_details
  const hasAddress = review.data?.customer_details.address !== undefined
  if (!identityDetails) {
    return (
      <Panel title="Evidence">
        <ReadResultBlock read={review} onAgain={review.again}>
          {() => <p className="text-ink-2">This customer has not been verified yet.</p>}
        </ReadResultBlock>
      </Panel>
    )
  }
  return (
    <>
      <OverallVerdict details={identityDetails} />
      {buildEvidencePanels(identityDetails, hasAddress).map(({ id, part }) => (
        <Fragment key={id}>{part}</Fragment>
      ))}
    </>
  )
}

const toDecisionRank = (decision: string | undefined) =>
  decision === 'reject' ? 0 : decision === 'accept' ? 2 : 1

/** The panel with the most serious decision comes first. */
function buildEvidencePanels(details: IdentityDetails, hasAddress: boolean) {
  const findWorstRank = (...decisions: (string | undefined)[]) =>
    Math.min(2, ...decisions.map(toDecisionRank))
  const { breakdown, kyc, watch_list: list, network_alerts: network, reputation } = details
  const toPanelRank = (section: { decision?: string | undefined } | undefined) =>
    section ? findWorstRank(section.decision) : 2
  const panelsWithRank = [
    {
      id: 'modules',
      rank: findWorstRank(...Object.values(breakdown).map(({ decision }) => decision)),
      part: <ModulesPanel details={details} />,
    },
    {
      id: 'kyc',
      rank: toPanelRank(kyc),
      part: <KycPanel details={details} hasAddress={hasAddress} />,
    },
    { id: 'watch_list', rank: toPanelRank(list), part: <WatchListPanel details={details} /> },
    {
      id: 'network',
      rank: Math.min(toPanelRank(network), toPanelRank(reputation)),
      part: <NetworkPanel details={details} />,
    },
  ]
  return panelsWithRank.sort((one, other) => one.rank - other.rank)
}

function OverallVerdict({ details }: { details: IdentityDetails }) {
  const verdict = getVerdictWords(details.decision)
  return (
    <h2 className="flex flex-wrap items-center gap-2 font-semibold text-sm">
      Evidence
      <StatusBadge tone={verdict.tone}>Overall: {verdict.label}</StatusBadge>
      <span className="ml-auto font-normal text-ink-3 text-xs">
        checked <RelativeTime at={details.updated_at ?? details.created_at} show="ago" />
      </span>
    </h2>
  )
}

const ModulesPanel = ({ details }: { details: IdentityDetails }) => (
  <Panel title="Checks">
    <EvidenceModules details={details} />
  </Panel>
)
