import {
  BlockerList,
  DeletionRequestFacts,
  ImpactPanel,
} from '@/components/deletions/record/impact-panel'
import { Panel } from '@/components/kits/layout/panel'
import { Notice } from '@/components/ui/notice'
import { loadCustomerDeletions, readDeletionImpact } from '@/lib/features/deletions/server/page'
import type { PageContext } from '@/lib/operations/page-context'

type DeletionEvidenceProps = { context: PageContext; customerId: string }

/** Why a customer is to be deleted, until when, what the deletion affects, and what blocks it. */
export async function DeletionEvidence({ context, customerId }: DeletionEvidenceProps) {
  const [[request], impact] = await Promise.all([
    loadCustomerDeletions(context, customerId),
    readDeletionImpact(context, customerId),
  ])
  return (
    <>
      {request && (
        <Panel title="Request to delete">
          <DeletionRequestFacts request={request} />
        </Panel>
      )}
      {impact.ok ? (
        <>
          <BlockerList blockers={impact.data.blockers} />
          <ImpactPanel impact={impact.data} />
        </>
      ) : (
        <Notice tone="unknown" title="The effects of the deletion could not be read">
          <p>{impact.error.detail}</p>
        </Notice>
      )}
    </>
  )
}
