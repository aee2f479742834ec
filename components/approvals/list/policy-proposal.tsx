import { PolicyDurations, RuleList } from '@/components/approvals/policy/rule-list'
import { Link } from '@/components/kits/layout/link'
import { ExternalText, PersonName } from '@/components/kits/layout/outside-text'
import { Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { Badge } from '@/components/ui/tone'
import type { PageContext } from '@/lib/operations/page-context'
import type { Policy, PolicyVersion } from '@/lib/operations/policies'
import { policiesPath } from '@/lib/routes'

const toDurationsKey = ({ cooling_off_hours, proof_minutes }: Policy) =>
  JSON.stringify([cooling_off_hours.sandbox, cooling_off_hours.production, proof_minutes])

type PolicyProposalItemProps = {
  context: PageContext
  proposed: PolicyVersion
  active: PolicyVersion
}

/** A proposed policy that waits for another admin: what it changes, and who proposed it. */
export const PolicyProposalItem = ({ context, proposed, active }: PolicyProposalItemProps) => (
  <Panel
    title={`Approval policy, version ${proposed.version}`}
    aside={<Badge tone="held">Awaiting another admin</Badge>}
    className="mx-4 mt-3 lg:mx-6"
  >
    <div className="grid gap-3">
      <p className="text-sm">
        <PersonName own={proposed.own} name={proposed.proposed_by ?? ''} />{' '}
        <RelativeTime at={proposed.proposed_at} show="ago" />: “
        <ExternalText>{proposed.reason ?? ''}</ExternalText>”. A proposal does not expire.
      </p>
      <RuleList
        context={context}
        label="Changes of the approval policy"
        policy={proposed.policy}
        before={active.policy}
        onlyChanges
      />
      {toDurationsKey(proposed.policy) !== toDurationsKey(active.policy) && (
        <PolicyDurations policy={proposed.policy} />
      )}
      <Link href={policiesPath(context)} className="text-accent text-sm hover:underline">
        Review the proposal
      </Link>
    </div>
  </Panel>
)
