'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useNow } from '@/components/kits/layout/browser-state'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Button } from '@/components/ui/button'
import { toCallError } from '@/lib/client/call-error'
import { actionQuery } from '@/lib/client/query/reads'
import { useOperation } from '@/lib/client/query/writes'
import { formatRelativeTime } from '@/lib/dates'
import { whyNotDecideOutcome } from '@/lib/domain/permissions'
import type { ActionView } from '@/lib/operations/answer'
import { getServiceOperation } from '@/lib/operations/service-operations'
import { AwaitingApproval } from './awaiting-approval'
import { DecideOutcome } from './decide-outcome'
import { isOpenAction } from './outcome'
import { OutcomePanel } from './outcome-panel'

type LiveActionProps = { action: ActionView; onSettled: (action: ActionView) => void }

/**
 * Polls the action. "Check again" sends the same bytes under the same idempotency key: any other
 * retry could execute the action twice.
 */
export function LiveAction(props: LiveActionProps) {
  const { action, onSettled } = props
  const context = usePageContext()
  const isPolled = action.state !== 'needs_human'
  const pollInterval = action.state === 'awaiting_approval' ? 5000 : 2000
  const pollingQuery = useQuery({
    ...actionQuery(context, action.id),
    refetchInterval: pollInterval,
    enabled: isPolled,
    staleTime: 0,
  })
  const checkMutation = useOperation<'actions.check'>({
    environment: action.environment,
    account: null,
  })
  const actionAfterCheck =
    checkMutation.data?.action ??
    (checkMutation.error ? toCallError(checkMutation.error).action : undefined)
  const [decidedAction, setDecided] = useState<ActionView>()
  const currentAction =
    decidedAction ??
    keepIfSettled(actionAfterCheck) ??
    pollingQuery.data?.action ??
    pollingQuery.error?.action ??
    action

  const reportSettled = useEffectEvent(() => onSettled(currentAction))
  const isSettled = !isOpenAction(currentAction)
  useEffect(() => {
    if (isSettled) reportSettled()
  }, [isSettled])

  if (currentAction.state === 'awaiting_approval')
    return <AwaitingApproval action={currentAction} />
  return (
    <UnsettledAction
      {...props}
      current={currentAction}
      check={{
        ...checkMutation,
        mutate: () =>
          checkMutation.mutate({ operation: 'actions.check', input: { id: action.id } }),
      }}
      checked={actionAfterCheck}
      onDecided={setDecided}
    />
  )
}

type UnsettledActionProps = LiveActionProps & {
  current: ActionView
  check: { isPending: boolean; error: unknown; mutate: () => void }
  checked: ActionView | undefined
  onDecided: (action: ActionView) => void
}

function UnsettledAction({ action, current, check, checked, onDecided }: UnsettledActionProps) {
  const context = usePageContext()
  const now = useNow()
  const checkError = check.error && !checked ? toCallError(check.error) : null
  const actorName = action.own ? 'You' : action.actor
  return (
    <div className="grid gap-1">
      <OutcomePanel
        outcome={{ operation: action.operation, action: current }}
        actions={
          // An action in the state `needs_human` has no "Check again". Sending it again would
          // return the same response, or could execute it twice.
          current.state === 'needs_human' ? (
            <DecideOutcome
              action={current}
              disabledReason={whyNotDecideOutcome(context.person.roles, current)}
              onDecided={onDecided}
            />
          ) : (
            <>
              <Button loading={check.isPending} onClick={() => check.mutate()}>
                Check again
              </Button>
              <span role="status" className="text-xs">
                {checkError
                  ? `The check failed: ${checkError.message}`
                  : formatCheckResult(check.isPending, checked)}
              </span>
            </>
          )
        }
      />
      <p className="text-ink-3 text-xs">
        {actorName} asked to {getServiceOperation(action.operation).verbPhrase}{' '}
        {formatRelativeTime(action.created_at, now)}.
        {current.state === 'needs_human'
          ? ' Other actions are locked until the outcome is decided.'
          : ' Checking continues in the background. You can leave this page.'}
      </p>
    </div>
  )
}

const keepIfSettled = (action: ActionView | undefined) =>
  action && !isOpenAction(action) ? action : undefined

const formatCheckResult = (isPending: boolean, checked: ActionView | undefined) =>
  !isPending && checked && isOpenAction(checked) ? 'Checked: still unknown.' : ''
