'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { isOpen } from '@/components/kits/action/outcome'
import { useClosed } from '@/components/kits/action/use-closed'
import { useOutcome } from '@/components/kits/action/use-outcome'
import { useReason } from '@/components/kits/action/use-reason'
import { useWriteForm } from '@/components/kits/action/use-write-form'
import type { ReasonAsked, ReasonsFor } from '@/components/kits/action/with-reason'
import type { WriteFormOptions } from '@/components/kits/action/write-form-options'
import { newCorrelationId } from '@/lib/client/keys'
import type { ActionView } from '@/lib/operations/answer'
import { rowOf, type WriteId } from '@/lib/operations/rows'

type FormPageOptions<K extends WriteId, V extends FieldValues> = Omit<
  WriteFormOptions<K, V>,
  'correlationId' | 'onOutcome' | 'onDone' | 'ready' | 'reasonOf' | 'reasons'
> &
  ReasonsFor<K> & {
    /** Names on the screen, which do not belong in a reason. */
    names?: readonly (string | undefined)[]
    /** What Paydesk did with the object that is changed; left out for one that is made. */
    actions?: readonly ActionView[]
    /** Why it cannot be sent, besides what closes every write: what the object says, or what has to be chosen first. */
    rule?: string | null
    /** Where Back leads. */
    back: string
    /** Where it leads once it was carried out, by the id of the object. */
    done: (id: string) => string
    /** The object is another by now than the one that was read. */
    onMoved?: () => void
  }

const none: readonly ActionView[] = []
const nobody: readonly undefined[] = []

/** One write with a page of its own: fields, outcome, why it is closed, and where it leads. `page` is what `FormPage` needs of it. */
export function useFormPage<K extends WriteId, V extends FieldValues>(options: FormPageOptions<K, V>) {
  const { actions = none, rule = null, names = nobody, back, done, onMoved, ...write } = options
  const { operation } = write
  // Which of the two it is hangs on the operation, which is open in here.
  const { reasons } = options as { reasons?: ReasonAsked['reasons'] }
  const router = useRouter()
  const [correlationId] = useState(newCorrelationId)
  const state = useOutcome({ actions, stale: rowOf(operation).invalidates ?? [] })
  const closed = useClosed({ live: actions.find(isOpen) })(operation, rule)
  const filled = useWriteForm<K, V>({
    ...write,
    correlationId,
    ready: () => reason?.warnings?.allTicked() ?? true,
    onOutcome: (outcome) => {
      state.setOutcome(outcome)
      if (outcome?.error?.code === 'changed') onMoved?.()
    },
    // Every write that has a page answers with the object it made or changed.
    onDone: ({ data }) => router.push(done((data as { id: string }).id)),
  })
  const { form, typed, send, pending, making } = filled
  const reason: ReasonAsked | null = useReason(reasons, filled, names)
  const { outcome } = state
  return {
    form,
    typed,
    outcome,
    page: {
      ...{ making, outcome, pending, closed, reason },
      onDismiss: () => state.setOutcome(null),
      onSignedIn: state.signedIn,
      onSend: () => void send(),
      onBack: () => router.push(back),
    },
  }
}
