import { OutsideText } from '@/components/kits/layout/outside-text'
import { cn } from '@/components/ui/cn'
import { Badge } from '@/components/ui/tone'
import { getAccountName } from '@/lib/client/page-context'
import { rolesText } from '@/lib/domain/permissions'
import { proofText, requestTitle, whenText } from '@/lib/features/approvals/labels'
import type { PageContext } from '@/lib/operations/page-context'
import type { Policy, PolicyRule } from '@/lib/operations/policies'

const toCaseKey = ({ operation, environment, account, when }: PolicyRule) => JSON.stringify([operation, environment, account, when])

const toDecisionKey = ({ control, ask, second }: PolicyRule) =>
  [control, ...[ask, second].map((roles) => [...roles].sort().join())].join(' ')

/** True if both rules have the same control and the same roles. */
const hasSameDecision = (one: PolicyRule, other: PolicyRule) => toDecisionKey(one) === toDecisionKey(other)

function formatDecision({ control, second }: PolicyRule): string {
  if (control === 'block') return 'Blocked for everyone'
  return second.length === 0 ? 'Nobody else is needed' : `Another person must approve: ${rolesText(second)}`
}

type LabeledRule = { rule: PolicyRule; mark: 'Added' | 'Changed' | 'Removed' | null }

/** Returns the rules of a policy, each labeled if it was added or changed since the policy `before`. Removed rules are last. */
function labelRules(policy: Policy, before: Policy | undefined): LabeledRule[] {
  if (!before) return policy.rules.map((rule) => ({ rule, mark: null }))
  const currentRules = policy.rules.map((rule): LabeledRule => {
    const previousRule = before.rules.find((each) => toCaseKey(each) === toCaseKey(rule))
    if (!previousRule) return { rule, mark: 'Added' }
    return { rule, mark: hasSameDecision(previousRule, rule) ? null : 'Changed' }
  })
  const removedRules = before.rules.filter((rule) => !policy.rules.some((each) => toCaseKey(each) === toCaseKey(rule)))
  return [...currentRules, ...removedRules.map((rule): LabeledRule => ({ rule, mark: 'Removed' }))]
}

type RuleListProps = { context: PageContext; label: string; policy: Policy; before?: Policy | undefined }

/** The rules of a policy. With `before`, the differences from that policy are labeled. */
export function RuleList({ context, label, policy, before }: RuleListProps) {
  const rules = labelRules(policy, before)
  if (rules.length === 0) return <p className="text-ink-2 text-sm">No rules: nothing needs a second person.</p>
  return (
    <ul aria-label={label} className="grid text-sm">
      {rules.map(({ rule, mark }) => (
        <li
          key={`${toCaseKey(rule)} ${mark}`}
          className={cn(
            'grid gap-x-4 border-line border-b py-1.5 last:border-b-0 sm:grid-cols-2',
            mark && '-mx-3 bg-selected px-3',
            mark === 'Removed' && 'text-ink-3 line-through',
          )}
        >
          <span>
            <strong className="font-medium">{requestTitle(rule, null)}</strong>
            {rule.when.length > 0 && <span className="tabular-nums"> if {whenText(rule.when)}</span>} {mark && <Badge>{mark}</Badge>}
            <span className="block text-ink-3 text-xs">
              {rule.account ? <OutsideText>{getAccountName(context, rule.account)}</OutsideText> : 'All accounts'}
              {rule.environment ? `, ${rule.environment} only` : ', both environments'}
            </span>
          </span>
          <span className="text-ink-2">
            {formatDecision(rule)}
            {rule.control === 'approve' && <span className="block text-ink-3 text-xs">Requested by {rolesText(rule.ask)}</span>}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** The durations of a policy: between a request for a deletion and the deletion, and how long a step-up confirmation stays valid. */
export const PolicyDurations = ({ policy }: { policy: Policy }) => (
  <p className="text-ink-2 text-sm">
    Between the request for a deletion and the deletion: {policy.cooling_off_hours.sandbox} h in sandbox,{' '}
    {policy.cooling_off_hours.production} h in production. {proofText(policy.proof_minutes)}
  </p>
)
