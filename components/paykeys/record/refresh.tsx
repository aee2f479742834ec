'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Outcome } from '@/components/kits/action/outcome'
import { loadOrCreateDraft, toDraftName } from '@/components/kits/action/write-draft'
import { usePageContext } from '@/components/kits/layout/page-context'
import { useTimeout } from '@/components/kits/layout/use-timeout'
import { Button } from '@/components/ui/button'
import { toCallError } from '@/lib/client/call-error'
import { deleteDraft, saveDraft } from '@/lib/client/drafts'
import { operationQuery } from '@/lib/client/query/reads'
import { useOperation } from '@/lib/client/query/writes'
import { hasNewBalance, hasNewReview } from '@/lib/features/paykeys/rules'
import type { Output } from '@/lib/operations/registry'
import type { ReadId } from '@/lib/operations/service-operations'

/** Operations that the service accepts with 202 and completes later. */
type RefreshOperationId = 'paykeys.refresh_balance' | 'paykeys.refresh_review'

type SingleRefreshOptions<K extends ReadId> = {
  operation: RefreshOperationId
  /** The read whose data shows the result of the operation. */
  shownBy: K
  id: string
  account: string | null
  correlationId: string
  /** True if the result has arrived. `before` is the data at the time of the request. */
  came: (before: Output<K>, now: Output<K>) => boolean
  /** Called with a refusal or an unknown outcome, and with null when a new request starts. */
  onOutcome: (outcome: Outcome | null) => void
}

/**
 * `asked`: the result is pending. `late`: the result did not arrive before the timeout. `here`: the
 * result arrived.
 */
type PaykeyRefreshState = 'idle' | 'sending' | 'asked' | 'late' | 'here'

const pollIntervalMs = 2_000
const refreshTimeoutMs = 60_000

/**
 * Requests a refresh and polls for its result, because the 202 response only confirms the request.
 * Returns the state and the function that sends the request. After 60 seconds polling stops and the
 * state is `late`.
 */
function usePaykeyRefresh<K extends ReadId>({
  operation,
  shownBy,
  id,
  account,
  correlationId,
  came,
  onOutcome,
}: SingleRefreshOptions<K>) {
  const context = usePageContext()
  const refreshMutation = useOperation<RefreshOperationId>({
    environment: context.environment,
    account,
  })
  const [dataBeforeRefresh, setDataBeforeRefresh] = useState<Output<K> | null>(null)
  const [isLate, setIsLate] = useState(false)
  const resultQuery = useQuery({
    ...operationQuery(context, shownBy, { id } as never),
    refetchInterval: dataBeforeRefresh !== null && !isLate ? pollIntervalMs : false,
  })
  const currentData = resultQuery.data?.data as Output<K> | undefined
  const hasResultArrived =
    dataBeforeRefresh !== null && currentData !== undefined && came(dataBeforeRefresh, currentData)
  useTimeout(
    () => setIsLate(true),
    dataBeforeRefresh === null || hasResultArrived ? null : refreshTimeoutMs,
  )

  const requestRefresh = async () => {
    if (refreshMutation.isPending || currentData === undefined) return
    const draftName = toDraftName(operation, id)
    const draft = loadOrCreateDraft(draftName, {})
    saveDraft(draftName, draft)
    onOutcome(null)
    setIsLate(false)
    setDataBeforeRefresh(null)
    try {
      await refreshMutation.mutateAsync({
        operation,
        input: { id },
        idempotencyKey: draft.key,
        correlationId,
      })
      deleteDraft(draftName)
      setDataBeforeRefresh(currentData)
    } catch (cause) {
      const error = toCallError(cause)
      // If Paydesk did not respond, keep the idempotency key, so that the next attempt repeats this
      // request and does not send a second one.
      if (!error.local) deleteDraft(draftName)
      onOutcome({
        operation,
        action: error.action,
        error: { ...error.toWire(), requestId: error.requestId, local: error.local },
      })
    }
  }
  return {
    state: toPaykeyRefreshState(
      refreshMutation.isPending,
      dataBeforeRefresh,
      hasResultArrived,
      isLate,
    ),
    press: requestRefresh,
  }
}

function toPaykeyRefreshState(
  isPending: boolean,
  before: unknown,
  here: boolean,
  late: boolean,
): PaykeyRefreshState {
  if (isPending) return 'sending'
  if (before === null) return 'idle'
  if (here) return 'here'
  return late ? 'late' : 'asked'
}

type PaykeyRefreshOptions = {
  id: string
  account: string | null
  correlationId: string
  onOutcome: (outcome: Outcome | null) => void
}

export function usePaykeyRefreshes(options: PaykeyRefreshOptions) {
  return {
    balance: usePaykeyRefresh({
      ...options,
      operation: 'paykeys.refresh_balance',
      shownBy: 'paykeys.get',
      came: hasNewBalance,
    }),
    review: usePaykeyRefresh({
      ...options,
      operation: 'paykeys.refresh_review',
      shownBy: 'paykeys.review',
      came: hasNewReview,
    }),
  }
}

type RefreshButtonProps = {
  label: string
  state: PaykeyRefreshState
  disabledReason: string | null
  press: () => Promise<void>
}

export const PaykeyRefreshButton = ({
  label,
  state,
  disabledReason,
  press,
}: RefreshButtonProps) => (
  <Button
    size="small"
    loading={state === 'sending' || state === 'asked'}
    disabledReason={disabledReason}
    onClick={() => void press()}
    className="print:hidden"
  >
    {label}
  </Button>
)

export function PaykeyRefreshStatusText({
  state,
  here,
}: {
  state: PaykeyRefreshState
  here: string
}) {
  const textByState: Record<PaykeyRefreshState, string> = {
    idle: '',
    sending: 'Asking…',
    asked: 'Requested. This page updates automatically.',
    late: 'Still running at the service after one minute. The last known value is shown; refresh later.',
    here,
  }
  return (
    <p role="status" className={state === 'idle' ? 'sr-only' : 'text-ink-2 text-xs print:hidden'}>
      {textByState[state]}
    </p>
  )
}
