'use client'

import { lazy, Suspense } from 'react'
import { Panel } from '@/components/kits/layout/panel'
import { Timeline } from '@/components/kits/timeline/timeline'
import { timelineOf } from '@/lib/domain/timeline'
import type { ActionView } from '@/lib/operations/answer'
import type { Payout } from '@/lib/operations/payouts.schema'
import type { PayoutFacts } from './use-payout-facts'

// Below the fold: drawn on the server, and alive a moment after what a decision needs.
const PayoutBackground = lazy(() => import('./payout-background').then((module) => ({ default: module.PayoutBackground })))
const AttemptsTable = lazy(() => import('./attempts-table').then((module) => ({ default: module.AttemptsTable })))

type PayoutSectionsProps = {
  payout: Payout
  actions: readonly ActionView[]
  facts: PayoutFacts
}

/** All that stands behind the decision, in the order it is asked for. */
export const PayoutSections = ({ payout, actions, facts }: PayoutSectionsProps) => (
  <div className="grid min-w-0 content-start gap-3">
    <Panel title="Timeline">
      <Timeline
        label="Timeline, newest first"
        items={timelineOf(payout.status_history, actions).map(({ action, source, ...entry }) => ({
          ...entry,
          mark: source === 'provider' ? 'provider’s record' : 'Paydesk',
          detail: entry.detail && <bdi>{entry.detail}</bdi>,
          more: action && action.attempts.length > 0 ? <Attempts action={action} /> : undefined,
        }))}
      />
    </Panel>
    <Suspense fallback={null}>
      <PayoutBackground payout={payout} facts={facts} />
    </Suspense>
  </div>
)

const Attempts = ({ action }: { action: ActionView }) => (
  <Suspense fallback={null}>
    <AttemptsTable action={action} />
  </Suspense>
)
