'use client'

import { useState } from 'react'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { Link } from '@/components/kits/layout/link'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { useOperation } from '@/lib/client/query/writes'
import type { ApprovalDetail, ApprovalQuestion } from '@/lib/operations/approvals'
import { RequestTextForm } from './request-text-form'

type RequestQuestionsProps = {
  request: ApprovalDetail
  recordHref: string | null
  onAnswered: () => void
}

/** The questions of approvers and their answers. The requester answers the open one here. */
export function RequestQuestions({ request, recordHref, onAnswered }: RequestQuestionsProps) {
  const { action, questions } = request
  const openQuestion = questions.find(({ answer }) => answer === null)
  const canAnswer = action.own && action.state === 'awaiting_approval' && openQuestion !== undefined
  if (questions.length === 0) return null
  return (
    <section aria-label="Questions" className="grid gap-2 border-line border-t pt-3">
      {questions.map((question) => (
        <QuestionText key={question.id} question={question} />
      ))}
      {canAnswer && (
        <AnswerForm
          key={openQuestion.id}
          id={action.id}
          recordHref={recordHref}
          onAnswered={onAnswered}
        />
      )}
    </section>
  )
}

function QuestionText({ question }: { question: ApprovalQuestion }) {
  return (
    <div className="grid gap-0.5 text-sm">
      <p>
        <span className="text-ink-3">
          <ExternalText>{question.asked_by}</ExternalText> asked,{' '}
          <RelativeTime at={question.asked_at} />:
        </span>{' '}
        <ExternalText className="font-medium">{question.question}</ExternalText>
      </p>
      {question.answer === null ? (
        <p className="text-held">Waits for the requester’s answer.</p>
      ) : (
        <p>
          <span className="text-ink-3">
            The requester answered, <RelativeTime at={question.answered_at} />:
          </span>{' '}
          <ExternalText className="font-medium">{question.answer}</ExternalText>
        </p>
      )}
    </div>
  )
}

function AnswerForm({
  id,
  recordHref,
  onAnswered,
}: { id: string } & Omit<RequestQuestionsProps, 'request'>) {
  const { environment } = usePageContext()
  const { mutate, isPending, error } = useOperation<'approvals.answer'>({
    environment,
    account: null,
  })
  const [isSent, setIsSent] = useState(false)
  const sendAnswer = (answer: string) =>
    mutate(
      { operation: 'approvals.answer', input: { id, answer } },
      {
        onSuccess: () => setIsSent(true),
        onSettled: onAnswered,
      },
    )
  if (isSent) return null
  return (
    <div className="grid gap-2">
      {error && (
        <ErrorNotice
          urgent
          what="The answer was not sent"
          error={error.toWire()}
          requestId={error.requestId}
        />
      )}
      <RequestTextForm
        label="Your answer"
        submit="Send answer"
        busy={isPending}
        onSend={sendAnswer}
      />
      {recordHref && (
        <p className="text-ink-3 text-xs">
          A proof can be uploaded on{' '}
          <Link href={recordHref} className="text-accent hover:underline">
            the record
          </Link>
          . It does not void the request.
        </p>
      )}
    </div>
  )
}
