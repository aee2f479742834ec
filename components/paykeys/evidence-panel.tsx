'use client'

import type { ReactNode } from 'react'
import { Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { CodeList } from '@/components/kits/record/code-list'
import { FactRead } from '@/components/kits/record/fact-read'
import { Badge } from '@/components/ui/badge'
import { StatusBadge } from '@/components/ui/status-badge'
import { verdictWords } from '@/lib/domain/verdict-words'
import type { PaykeyReview } from '@/lib/operations/paykeys.schema'
import { NameScore } from './name-score'
import type { PaykeyReads } from './use-paykey-facts'

type Details = NonNullable<PaykeyReview['verification_details']>
type Module = Details['breakdown'][string]

type EvidencePanelProps = {
  review: PaykeyReads['review']
  /** The customer's name of today, which may have changed since the names were compared. */
  customerName: string | undefined
  aside: ReactNode
  children: ReactNode
}

/** What the verification found: the names, how alike they are, and each module's decision and codes. */
export const EvidencePanel = ({ review, customerName, aside, children }: EvidencePanelProps) => (
  <Panel title="Evidence" aside={aside}>
    <div className="grid min-h-72 content-start gap-3">
      {children}
      <FactRead fact={review.fact} onAgain={review.again}>
        {({ verification_details }) =>
          verification_details ? (
            <Evidence details={verification_details} customerName={customerName} />
          ) : (
            <p className="text-ink-2">No verification has run on this bank account yet.</p>
          )
        }
      </FactRead>
    </div>
  </Panel>
)

function Evidence({ details, customerName }: { details: Details; customerName: string | undefined }) {
  const verdict = verdictWords(details.decision)
  const { name_match, ...others } = details.breakdown
  const modules = Object.entries(name_match ? { name_match, ...others } : others)
  return (
    <div className="grid gap-3">
      <p className="flex flex-wrap items-center gap-2">
        <StatusBadge tone={verdict.tone}>{verdict.label}</StatusBadge>
        <span className="text-ink-2">{verdict.meaning}</span>
        <RelativeTime at={details.updated_at} show="ago" className="ml-auto text-ink-3 text-xs" />
      </p>
      {name_match && <Names match={name_match} customerName={customerName} />}
      {modules.length === 0 && <p className="text-ink-2">The verification was skipped: no module has looked at it.</p>}
      <ul aria-label="Modules" className="grid gap-2">
        {modules.map(([name, module]) => (
          <ModuleRow key={name} name={name} module={module} messages={details.messages} />
        ))}
      </ul>
    </div>
  )
}

/** The name on record against the names on the account, one below the other, so that the eye compares letter by letter. */
function Names({ match, customerName }: { match: Module; customerName: string | undefined }) {
  const compared = match.customer_name
  return (
    <div className="grid gap-2 rounded-sm border border-line bg-bg p-3">
      <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-3 gap-y-1">
        <dt className="text-ink-3">Customer</dt>
        <dd className="break-words font-semibold text-base">
          <bdi>{compared ?? customerName ?? 'unknown'}</bdi>
          {compared && customerName && compared !== customerName && (
            <span className="block font-normal text-held text-sm">
              now <bdi>{customerName}</bdi>: have it verified again
            </span>
          )}
        </dd>
        <dt className="text-ink-3">On the account</dt>
        <dd className="grid gap-0.5">
          {match.names_on_account.length === 0 && <span className="text-ink-2">The bank named nobody.</span>}
          {match.names_on_account.map((name) => (
            <span key={name} className="flex flex-wrap items-center gap-2 break-words font-semibold text-base">
              <bdi>{name}</bdi>
              {name === match.matched_name && <Badge>closest</Badge>}
            </span>
          ))}
        </dd>
      </dl>
      <NameScore score={match.correlation_score} />
    </div>
  )
}

const moduleWords: Readonly<Record<string, string>> = { name_match: 'Name match', account_validation: 'Account validation' }

function ModuleRow({ name, module, messages }: { name: string; module: Module; messages: Details['messages'] }) {
  const verdict = verdictWords(module.decision)
  const title = Object.hasOwn(moduleWords, name) ? moduleWords[name] : name.replaceAll('_', ' ')
  // The reason is most often the text of a code below it, which need not be read twice.
  const said = Object.values(messages).includes(module.reason ?? '') && module.codes.length > 0 ? undefined : module.reason
  return (
    <li className="grid gap-1 border-line border-t pt-2">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium">{title}</span>
        <StatusBadge tone={verdict.tone}>{verdict.label}</StatusBadge>
        {said && <bdi className="text-ink-2">{said}</bdi>}
      </p>
      <CodeList codes={module.codes} messages={messages} />
    </li>
  )
}
