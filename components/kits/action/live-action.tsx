'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useNow } from '@/components/kits/layout/clock'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Button } from '@/components/ui/button'
import { asCallError } from '@/lib/client/call-error'
import { checkAction, readAction } from '@/lib/client/queries'
import { agoText } from '@/lib/dates'
import { whyNotDecide } from '@/lib/domain/decide-outcome'
import type { ActionView } from '@/lib/operations/answer'
import { rowOf } from '@/lib/operations/rows'
import { isOpen } from './outcome'
import { OutcomePanel } from './outcome-panel'

const DecideOutcome = lazy(() => import('./decide-outcome').then((module) => ({ default: module.DecideOutcome })))

type LiveActionProps = { action: ActionView; onSettled: (action: ActionView) => void }

/**
 * An action whose outcome is not known yet, also after the page was loaded anew. It is looked at every two seconds; "Check again" asks the
 * service now, by the same bytes under the same key, which is the only way that cannot make a second effect.
 */
export function LiveAction({ action, onSettled }: LiveActionProps) {
  const desk = useDesk()
  const now = useNow()
  const watched = action.state !== 'needs_human'
  const query = useQuery({ ...readAction(desk, action.id), refetchInterval: 2000, enabled: watched, staleTime: 0 })
  const check = useMutation({ mutationFn: () => checkAction(action.id), networkMode: 'always', retry: 0 })
  const checked = check.data?.action ?? (check.error ? asCallError(check.error).action : undefined)
  const [decided, setDecided] = useState<ActionView>()
  const current = decided ?? settledOf(checked) ?? query.data?.action ?? query.error?.action ?? action

  const settle = useEffectEvent(() => onSettled(current))
  const settled = !isOpen(current)
  useEffect(() => {
    if (settled) settle()
  }, [settled])

  const failed = check.error && !checked ? asCallError(check.error) : null
  const who = action.own ? 'You' : action.actor
  return (
    <div className="grid gap-1">
      <OutcomePanel
        outcome={{ operation: action.operation, action: current }}
        actions={
          // What a person has to decide is not asked again: the service would say the same, or could do it a second time.
          current.state === 'needs_human' ? (
            <Suspense fallback={null}>
              <DecideOutcome action={current} closed={whyNotDecide(desk.person.roles, current)} onDecided={setDecided} />
            </Suspense>
          ) : (
            <>
              <Button loading={check.isPending} onClick={() => check.mutate()}>
                Check again
              </Button>
              <span role="status" className="text-xs">
                {failed ? `The check did not go through: ${failed.message}` : checkedText(check.isPending, checked)}
              </span>
            </>
          )
        }
      />
      <p className="text-ink-3 text-xs">
        {who} asked to {rowOf(action.operation).does} {agoText(action.created_at, now)}.
        {current.state === 'needs_human'
          ? ' Until it is decided nothing else can be done with it here.'
          : ' Paydesk keeps checking by itself. You can leave this page: it goes on alone.'}
      </p>
    </div>
  )
}

const settledOf = (action: ActionView | undefined) => (action && !isOpen(action) ? action : undefined)

const checkedText = (pending: boolean, checked: ActionView | undefined) =>
  !pending && checked && isOpen(checked) ? 'Checked: still not known.' : ''
