'use client'

import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { ExternalText, PersonName } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { Button } from '@/components/ui/button'
import { Badge } from '@/components/ui/tone'
import { useOperation } from '@/lib/client/query/writes'
import type { PolicyVersion } from '@/lib/operations/policies'
import { PreviewPanel } from './preview-panel'
import { PolicyDurations, RuleList } from './rule-list'

type ProposalProps = {
  proposed: PolicyVersion
  active: PolicyVersion
  disabledReason: string | null
  onDone: () => void
}

export function PolicyProposalPanel({ proposed, active, disabledReason, onDone }: ProposalProps) {
  const context = usePageContext()
  const { version, policy, own } = proposed
  const previewMutation = useOperation<'policies.preview'>(context)
  const decisionMutation = useOperation<'policies.confirm' | 'policies.reject'>(context)
  const policyPreview = previewMutation.data?.data
  const mutationError = previewMutation.error ?? decisionMutation.error
  const pendingDecision = decisionMutation.isPending ? decisionMutation.variables.operation : null
  const decideProposal = (operation: 'policies.confirm' | 'policies.reject') => {
    if (previewMutation.error) previewMutation.reset()
    decisionMutation.mutate(
      { operation, input: { version: String(version) } },
      { onSuccess: onDone },
    )
  }
  const showPreview = () => {
    decisionMutation.reset()
    previewMutation.mutate({ operation: 'policies.preview', input: { policy } })
  }
  return (
    <Panel
      title={`Proposed: version ${version}`}
      aside={<Badge tone="held">Awaiting another admin</Badge>}
    >
      <div className="grid gap-3">
        <p className="text-sm">
          <PersonName own={own} name={proposed.proposed_by ?? ''} />{' '}
          <RelativeTime at={proposed.proposed_at} show="ago" />: “
          <ExternalText>{proposed.reason ?? ''}</ExternalText>”
        </p>
        <RuleList
          context={context}
          label="Rules of the proposed policy"
          policy={policy}
          before={active.policy}
        />
        <PolicyDurations policy={policy} />
        {policyPreview && <PreviewPanel context={context} preview={policyPreview} />}
        {mutationError && (
          <ErrorNotice
            urgent
            what="Nothing was changed"
            error={mutationError.toWire()}
            requestId={mutationError.requestId}
          />
        )}
        <div className="flex flex-wrap items-center gap-2">
          <Button
            variant="primary"
            loading={pendingDecision === 'policies.confirm'}
            disabledReason={disabledReason}
            onClick={() => decideProposal('policies.confirm')}
          >
            Activate
          </Button>
          <Button
            loading={pendingDecision === 'policies.reject'}
            disabledReason={own ? null : disabledReason}
            onClick={() => decideProposal('policies.reject')}
          >
            {own ? 'Withdraw' : 'Reject'}
          </Button>
          <Button
            loading={previewMutation.isPending}
            disabledReason={own ? null : disabledReason}
            onClick={showPreview}
          >
            Preview
          </Button>
        </div>
        {disabledReason && <p className="text-ink-3 text-xs">{disabledReason}</p>}
      </div>
    </Panel>
  )
}
