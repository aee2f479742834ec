import { OutsideText } from '@/components/kits/layout/outside-text'
import { cn } from '@/components/ui/cn'
import { Badge } from '@/components/ui/tone'
import { accountName } from '@/lib/client/page-context'
import { rolesLabel } from '@/lib/features/approvals/labels'
import { formatMinor } from '@/lib/money'
import type { PageContext } from '@/lib/operations/page-context'
import type { Policy, PolicyRule } from '@/lib/operations/policies'
import { serviceOperation } from '@/lib/operations/service-operations'

const cell = 'px-3 py-1.5 text-left align-top wrap-anywhere'

const caseOf = ({ operation, environment, account, from }: PolicyRule) => [operation, environment, account, from].join(' ')

const same = (one: PolicyRule, other: PolicyRule) => JSON.stringify(one) === JSON.stringify(other)

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

type RuleTableProps = { context: PageContext; caption: string; policy: Policy; before?: Policy | undefined }

/** Who must approve what; where the policy `before` is given, with what differs from it. */
export function RuleTable({ context, caption, policy, before }: RuleTableProps) {
  const rules = marked(policy, before)
  if (rules.length === 0) return <p className="text-ink-2 text-sm">No rules: nothing needs a second person.</p>
  return (
    <div className="-m-3 overflow-x-auto">
      <table className="w-full min-w-[34rem] text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-line border-b text-ink-3 text-xs">
            {['To', 'Amount', 'Where', 'Can ask', 'Must approve'].map((head) => (
              <th key={head} scope="col" className={cn(cell, 'font-medium')}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rules.map(({ rule, mark }) => (
            <tr
              key={`${caseOf(rule)} ${mark}`}
              className={cn('border-line border-b last:border-b-0', mark && 'bg-selected', mark === 'Removed' && 'text-ink-3')}
            >
              <th scope="row" className={cn(cell, 'font-medium')}>
                {serviceOperation(rule.operation).verbPhrase} {mark && <Badge>{mark}</Badge>}
              </th>
              <td className={cn(cell, 'tabular-nums')}>{rule.from === null ? 'any' : `${formatMinor(rule.from)} or more`}</td>
              <td className={cell}>
                {rule.account ? <OutsideText>{accountName(context, rule.account)}</OutsideText> : 'all accounts'}
                {rule.environment && <span className="block text-ink-3 text-xs">{rule.environment} only</span>}
              </td>
              <td className={cell}>{rolesLabel(rule.ask)}</td>
              <td className={cell}>{rule.second.length === 0 ? 'nobody else' : `another ${rule.second.join(' or ')}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** How long a deletion waits after it was requested. */
export const CoolingOff = ({ policy }: { policy: Policy }) => (
  <p className="text-ink-2 text-sm">
    Between the request for a deletion and the deletion: {policy.cooling_off_hours.sandbox} h in sandbox,{' '}
    {policy.cooling_off_hours.production} h in production.
  </p>
)
