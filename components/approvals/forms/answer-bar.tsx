'use client'

import { useState } from 'react'
import { LiveAction } from '@/components/kits/action/live-action'
import type { Outcome } from '@/components/kits/action/outcome'
import { OutcomePanel } from '@/components/kits/action/outcome-panel'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { focusOnMount } from '@/components/kits/layout/focus'
import { usePageContext } from '@/components/kits/layout/page-context'
import type { CallError } from '@/lib/client/call-error'
import { useOperation } from '@/lib/client/query/writes'
import { openActionStates } from '@/lib/operations/answer'
import type { ApprovalDetail } from '@/lib/operations/approvals'
import { type ApprovalAnswer, ApprovalAnswerButtons } from './answer-buttons'
import { type NextRequest, NextRequestButton } from './next-request'

type ApprovalAnswerBarProps = {
  request: ApprovalDetail
  next: NextRequest | null
  onAnswered: () => void
}

const answeredTexts = {
  approve: 'Approved by you. Another person must approve it too, and nothing is sent until then.',
  reject: 'Rejected. The requester sees your reason.',
  ask: 'Question sent. The request waits for the answer, and you can decide it at any time.',
  withdraw: 'Withdrawn. Nothing was sent.',
} as const

const isEndedBy = (answered: keyof typeof answeredTexts | null) =>
  answered === 'reject' || answered === 'withdraw'

/**
 * Returns `send`, which answers a request. After an approval, `outcome` is the outcome of the
 * approved action; `answered` is the last other answer. `failed` is the error of an answer after
 * which no action was sent.
 */
function useApprovalAnswer({ action }: ApprovalDetail, onAnswered: () => void) {
  const { environment } = usePageContext()
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [answered, setAnswered] = useState<keyof typeof answeredTexts | null>(null)
  const { mutateAsync, isPending, variables, error } = useOperation<ApprovalAnswer['operation']>({
    environment,
    account: null,
  })
  const showAnswerFailure = (cause: CallError) => {
    const errorWithRequestId = { ...cause.toWire(), requestId: cause.requestId }
    if (cause.action)
      setOutcome({ operation: action.operation, action: cause.action, error: errorWithRequestId })
    if (cause.code === 'not_approved' || cause.code === 'changed') onAnswered()
  }
  const sendApprovalAnswer = (answer: ApprovalAnswer) => {
    setAnswered(null)
    return mutateAsync(answer).then((response) => {
      const isSent =
        answer.operation === 'approvals.approve' && response.action?.state !== 'awaiting_approval'
      if (!isSent)
        setAnswered(answer.operation.slice('approvals.'.length) as keyof typeof answeredTexts)
      else if (response.action) setOutcome({ operation: action.operation, action: response.action })
      onAnswered()
    }, showAnswerFailure)
  }
  return {
    outcome,
    answered,
    failed: error?.action ? null : error,
    sending: isPending ? variables.operation : null,
    send: sendApprovalAnswer,
  }
}

export function ApprovalAnswerBar({ request, next, onAnswered }: ApprovalAnswerBarProps) {
  const { action } = request
  const { outcome, answered, failed, sending, send } = useApprovalAnswer(request, onAnswered)
  const unsettledAction =
    outcome === null && openActionStates.includes(action.state) ? action : null
  const isAwaitingAnswer =
    outcome === null && !isEndedBy(answered) && action.state === 'awaiting_approval'
  const contents = [isAwaitingAnswer || null, unsettledAction, outcome, answered, failed, next]
  if (contents.every((each) => each === null)) return null
  return (
    <section
      aria-label="Answer"
      className="sticky bottom-0 z-10 -mx-4 grid max-h-[50dvh] grid-cols-1 gap-3 overflow-y-auto border-line border-t bg-surface px-4 py-2.5 lg:-mx-6 lg:px-6"
    >
      {failed && (
        <ErrorNotice
          urgent
          what="The request was not answered"
          error={failed.toWire()}
          requestId={failed.requestId}
        />
      )}
      {unsettledAction && (
        <LiveAction key={unsettledAction.id} action={unsettledAction} onSettled={onAnswered} />
      )}
      {outcome && <OutcomePanel outcome={outcome} />}
      <AnsweredText answered={answered} />
      {isAwaitingAnswer && (
        <ApprovalAnswerButtons
          request={request}
          sending={sending}
          onAnswer={(answer) => void send(answer)}
          next={next}
        />
      )}
      {!isAwaitingAnswer && next && (
        <div className="flex">
          <NextRequestButton next={next} isDecided />
        </div>
      )}
    </section>
  )
}

/** Takes the focus, because the form or the button that had it is gone. */
const AnsweredText = ({ answered }: { answered: keyof typeof answeredTexts | null }) =>
  answered && (
    <p key={answered} ref={focusOnMount} tabIndex={-1} role="status" className="font-medium">
      {answeredTexts[answered]}
    </p>
  )
