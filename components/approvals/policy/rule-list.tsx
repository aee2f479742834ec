import { OutsideText } from '@/components/kits/layout/outside-text'
import { cn } from '@/components/ui/cn'
import { Badge } from '@/components/ui/tone'
import { accountName } from '@/lib/client/page-context'
import { rolesText } from '@/lib/domain/permissions'
import { requestTitle } from '@/lib/features/approvals/labels'
import { formatMinor } from '@/lib/money'
import type { PageContext } from '@/lib/operations/page-context'
import type { Policy, PolicyRule } from '@/lib/operations/policies'

const caseOf = ({ operation, environment, account, from }: PolicyRule) => [operation, environment, account, from].join(' ')

const peopleOf = ({ ask, second }: PolicyRule) => [ask, second].map((roles) => [...roles].sort().join()).join(' ')

/** Of the same case: it is another rule where other people are named. */
const same = (one: PolicyRule, other: PolicyRule) => peopleOf(one) === peopleOf(other)

type Marked = { rule: PolicyRule; mark: 'Added' | 'Changed' | 'Removed' | null }

/** The rules of a policy, each with what became of it against the one before; those that are gone come last. */
function marked(policy: Policy, before: Policy | undefined): Marked[] {
  if (!before) return policy.rules.map((rule) => ({ rule, mark: null }))
  const kept = policy.rules.map((rule): Marked => {
    const was = before.rules.find((each) => caseOf(each) === caseOf(rule))
    if (!was) return { rule, mark: 'Added' }
    return { rule, mark: same(was, rule) ? null : 'Changed' }
  })
  const gone = before.rules.filter((rule) => !policy.rules.some((each) => caseOf(each) === caseOf(rule)))
  return [...kept, ...gone.map((rule): Marked => ({ rule, mark: 'Removed' }))]
}

type RuleListProps = { context: PageContext; label: string; policy: Policy; before?: Policy | undefined }

/** Who must approve what; where the policy `before` is given, with what differs from it. */
export function RuleList({ context, label, policy, before }: RuleListProps) {
  const rules = marked(policy, before)
  if (rules.length === 0) return <p className="text-ink-2 text-sm">No rules: nothing needs a second person.</p>
  return (
    <ul aria-label={label} className="grid text-sm">
      {rules.map(({ rule, mark }) => (
        <li
          key={`${caseOf(rule)} ${mark}`}
          className={cn(
            'grid gap-x-4 border-line border-b py-1.5 last:border-b-0 sm:grid-cols-2',
            mark && '-mx-3 bg-selected px-3',
            mark === 'Removed' && 'text-ink-3 line-through',
          )}
        >
          <span>
            <strong className="font-medium">{requestTitle(rule, null)}</strong>
            {rule.from !== null && <span className="tabular-nums"> of {formatMinor(rule.from)} or more</span>}{' '}
            {mark && <Badge>{mark}</Badge>}
            <span className="block text-ink-3 text-xs">
              {rule.account ? <OutsideText>{accountName(context, rule.account)}</OutsideText> : 'All accounts'}
              {rule.environment ? `, ${rule.environment} only` : ', both environments'}
            </span>
          </span>
          <span className="text-ink-2">
            {rule.second.length === 0 ? 'Nobody else is needed' : `Another person must approve: ${rolesText(rule.second)}`}
            <span className="block text-ink-3 text-xs">Asked for by {rolesText(rule.ask)}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}

/** How long a deletion waits after it was requested. */
export const CoolingOff = ({ policy }: { policy: Policy }) => (
  <p className="text-ink-2 text-sm">
    Between the request for a deletion and the deletion: {policy.cooling_off_hours.sandbox} h in sandbox,{' '}
    {policy.cooling_off_hours.production} h in production.
  </p>
)
