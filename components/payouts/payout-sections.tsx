'use client'

import { lazy, Suspense, useEffect, useRef } from 'react'
import { Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { Timeline } from '@/components/kits/timeline/timeline'
import { Skeleton } from '@/components/ui/skeleton'
import { sizeText } from '@/lib/domain/file-rules'
import { timelineOf } from '@/lib/domain/timeline'
import type { ActionView } from '@/lib/operations/answer'
import type { Payout } from '@/lib/operations/payouts.schema'
import { AttemptsTable } from './attempts-table'
import { PayoutIds } from './payout-ids'
import { PayoutParties } from './payout-parties'
import { RecentPayouts } from './recent-payouts'
import type { UploadProofProps } from './upload-proof'
import type { PayoutFacts } from './use-payout-facts'

const UploadProof = lazy(() => import('./upload-proof').then((module) => ({ default: module.UploadProof })))

type PayoutSectionsProps = {
  payout: Payout
  actions: readonly ActionView[]
  facts: PayoutFacts
  upload: Omit<UploadProofProps, 'payout'> & { open: boolean }
}

/** All that stands behind the decision, in the order it is asked for. */
export const PayoutSections = ({ payout, actions, facts, upload }: PayoutSectionsProps) => (
  <div className="grid min-w-0 content-start gap-3">
    <Documents payout={payout} upload={upload} />
    <Panel title="Timeline">
      <Timeline
        label="Timeline, newest first"
        items={timelineOf(payout.status_history, actions).map(({ action, source, ...entry }) => ({
          ...entry,
          mark: source === 'provider' ? 'provider’s record' : 'Paydesk',
          detail: entry.detail && <bdi>{entry.detail}</bdi>,
          more: action && action.attempts.length > 0 ? <AttemptsTable action={action} /> : undefined,
        }))}
      />
    </Panel>
    <PayoutParties payout={payout} facts={facts} />
    <RecentPayouts payout={payout} recent={facts.recent} />
    <PayoutIds payout={payout} />
  </div>
)

function Documents({ payout, upload }: Pick<PayoutSectionsProps, 'payout' | 'upload'>) {
  const { open, ...props } = upload
  const section = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (open) section.current?.scrollIntoView({ block: 'nearest' })
  }, [open])
  return (
    <div ref={section}>
      <Panel title="Documents" aside={<span className="text-ink-3 text-xs">{payout.documents.length}</span>}>
        {payout.documents.length === 0 && !open && <p className="text-ink-3">No authorization proof on file.</p>}
        <ul className="grid gap-1">
          {payout.documents.toReversed().map((document) => (
            <li key={document.document_id} className="flex flex-wrap items-baseline gap-x-3">
              <bdi className="min-w-0 break-all font-medium">{document.document_name ?? 'Document without a name'}</bdi>
              <span className="text-ink-3 text-xs">
                {document.document_size != null && `${sizeText(document.document_size)} · `}
                <RelativeTime at={document.uploaded_at} />
              </span>
            </li>
          ))}
        </ul>
        {open && (
          <Suspense fallback={<Skeleton className="mt-3 h-32" />}>
            <UploadProof payout={payout} {...props} />
          </Suspense>
        )}
      </Panel>
    </div>
  )
}
