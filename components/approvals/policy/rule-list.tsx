import { ExternalText } from '@/components/kits/layout/outside-text'
import { cn } from '@/components/ui/cn'
import { Badge } from '@/components/ui/tone'
import { getAccountName } from '@/lib/client/page-context'
import { formatRoles } from '@/lib/domain/permissions'
import {
  formatProofValidity,
  formatRequestTitle,
  formatRuleConditions,
} from '@/lib/features/approvals/labels'
import type { PageContext } from '@/lib/operations/page-context'
import type { Policy, PolicyRule } from '@/lib/operations/policies'

const toRuleScopeKey = ({ operation, environment, account, when }: PolicyRule) =>
  JSON.stringify([operation, environment, account, when])

const toRuleEffectKey = ({ control, ask, second, approvers }: PolicyRule) =>
  [control, approvers, ...[ask, second].map((roles) => [...roles].sort().join())].join(' ')

const hasSameRuleEffect = (one: PolicyRule, other: PolicyRule) =>
  toRuleEffectKey(one) === toRuleEffectKey(other)

function formatRuleEffect({ control, second, approvers }: PolicyRule): string {
  if (control === 'block') return 'Blocked for everyone'
  if (second.length === 0) return 'Nobody else is needed'
  return approvers === 2
    ? `Two other people must approve: ${formatRoles(second)}`
    : `Another person must approve: ${formatRoles(second)}`
}

type LabeledRule = { rule: PolicyRule; mark: 'Added' | 'Changed' | 'Removed' | null }

/**
 * Marks each rule that was added, changed or removed since `previousPolicy`. Removed rules come
 * last.
 */
function labelRules(policy: Policy, previousPolicy: Policy | undefined): LabeledRule[] {
  if (!previousPolicy) return policy.rules.map((rule) => ({ rule, mark: null }))
  const currentRules = policy.rules.map((rule): LabeledRule => {
    const previousRule = previousPolicy.rules.find(
      (each) => toRuleScopeKey(each) === toRuleScopeKey(rule),
    )
    if (!previousRule) return { rule, mark: 'Added' }
    return { rule, mark: hasSameRuleEffect(previousRule, rule) ? null : 'Changed' }
  })
  const removedRules = previousPolicy.rules.filter(
    (rule) => !policy.rules.some((each) => toRuleScopeKey(each) === toRuleScopeKey(rule)),
  )
  return [...currentRules, ...removedRules.map((rule): LabeledRule => ({ rule, mark: 'Removed' }))]
}

type RuleListProps = {
  context: PageContext
  label: string
  policy: Policy
  before?: Policy | undefined
  onlyChanges?: boolean
}

/** With `before`, the differences from that policy are labeled. */
export function RuleList({ context, label, policy, before, onlyChanges = false }: RuleListProps) {
  const rules = labelRules(policy, before).filter(({ mark }) => mark !== null || !onlyChanges)
  if (rules.length === 0 && onlyChanges)
    return <p className="text-ink-2 text-sm">The rules stay the same.</p>
  if (rules.length === 0)
    return <p className="text-ink-2 text-sm">No rules: nothing needs a second person.</p>
  return (
    <ul aria-label={label} className="grid text-sm">
      {rules.map(({ rule, mark }) => (
        <li
          key={`${toRuleScopeKey(rule)} ${mark}`}
          className={cn(
            'grid gap-x-4 border-line border-b py-1.5 last:border-b-0 sm:grid-cols-2',
            mark && '-mx-3 bg-selected px-3',
            mark === 'Removed' && 'text-ink-3 line-through',
          )}
        >
          <span>
            <strong className="font-medium">{formatRequestTitle(rule, null)}</strong>
            {rule.when.length > 0 && (
              <span className="tabular-nums"> if {formatRuleConditions(rule.when)}</span>
            )}{' '}
            {mark && <Badge>{mark}</Badge>}
            <span className="block text-ink-3 text-xs">
              {rule.account ? (
                <ExternalText>{getAccountName(context, rule.account)}</ExternalText>
              ) : (
                'All accounts'
              )}
              {rule.environment ? `, ${rule.environment} only` : ', both environments'}
            </span>
          </span>
          <span className="text-ink-2">
            {formatRuleEffect(rule)}
            {rule.control === 'approve' && (
              <span className="block text-ink-3 text-xs">Requested by {formatRoles(rule.ask)}</span>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}

export const PolicyDurations = ({ policy }: { policy: Policy }) => (
  <p className="text-ink-2 text-sm">
    Waiting time between the request for a deletion and the deletion:{' '}
    {policy.cooling_off_hours.sandbox} h in sandbox, {policy.cooling_off_hours.production} h in
    production. {formatProofValidity(policy.proof_minutes)}
  </p>
)
