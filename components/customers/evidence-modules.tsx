import { CodeList } from '@/components/kits/record/code-list'
import { cn } from '@/components/ui/cn'
import { StatusBadge } from '@/components/ui/status-badge'
import { riskWords } from '@/lib/domain/customer-risk'
import { verdictWords } from '@/lib/domain/verdict-words'
import { correlationWords, scoreWords } from '@/lib/domain/verification-score'
import type { IdentityDetails } from '@/lib/operations/customer-review.schema'
import { ScoreBar } from './score-bar'

type Module = IdentityDetails['breakdown'][string]

const names: Readonly<Record<string, string>> = {
  email: 'E-mail',
  phone: 'Phone',
  address: 'Address',
  fraud: 'Fraud',
  synthetic: 'Made-up identity',
  business_identification: 'Business registration',
  business_validation: 'Business data',
  business_evaluation: 'Business standing',
}

/** Name, decision, risk, correlation: in the head and in every row. */
const columns = 'grid grid-cols-[minmax(0,0.9fr)_6.5rem_minmax(0,1fr)_minmax(0,1.25fr)] gap-x-3 gap-y-1 max-sm:grid-cols-2'

/** The gravest decisions first, since a reviewer looks for what did not pass. */
const gravity = ['reject', 'review', undefined, 'accept']
const rankOf = ({ decision }: Module) => {
  const at = gravity.indexOf(decision)
  return at < 0 ? 2 : at
}

/** One row for each module: what it decided, how risky and how alike it found things, and every code in words. */
export function EvidenceModules({ details }: { details: IdentityDetails }) {
  const modules = Object.entries(details.breakdown).sort(([, one], [, other]) => rankOf(one) - rankOf(other))
  if (modules.length === 0) return <p className="text-ink-3">The service sent no modules.</p>
  return (
    <>
      <p aria-hidden="true" className={cn(columns, 'pb-1 text-ink-3 text-xs max-sm:hidden')}>
        <span className="col-start-3">Risk</span>
        <span>Correlation</span>
      </p>
      <ul aria-label="Modules" className="grid">
        {modules.map(([name, module]) => (
          <ModuleRow key={name} name={names[name] ?? name.replaceAll('_', ' ')} module={module} messages={details.messages} />
        ))}
      </ul>
    </>
  )
}

function ModuleRow({ name, module, messages }: { name: string; module: Module; messages: IdentityDetails['messages'] }) {
  const verdict = verdictWords(module.decision)
  const match = scoreWords(module.correlation_score)
  // The service's own bucket goes before ours: it knows how it compared.
  const alike = match && module.correlation ? { ...match, ...correlationWords(module.correlation) } : match
  return (
    <li className="grid gap-1 border-line border-b py-2 first:pt-0 last:border-b-0 last:pb-0">
      <div className={cn(columns, 'items-center')}>
        <h3 className="font-medium text-sm">{name}</h3>
        <span>
          <StatusBadge tone={verdict.tone}>{verdict.label}</StatusBadge>
        </span>
        <ScoreBar what="Risk" score={riskWords(module.risk_score)} />
        <ScoreBar what="Correlation" score={alike} />
      </div>
      {module.reason && <p className="break-words text-ink-2 text-sm">{module.reason}</p>}
      <CodeList codes={module.codes} messages={messages} />
    </li>
  )
}
