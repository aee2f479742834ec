'use client'

import { lazy, useEffect, useState } from 'react'
import { Boundary } from '@/components/ui/boundary'
import {
  registerStepUpPrompter,
  type StepUpPrompt,
  type StepUpResult,
} from '@/lib/client/step-up/prompt'

const StepUpDialog = lazy(() =>
  import('./step-up-dialog').then((module) => ({ default: module.StepUpDialog })),
)

type PendingStepUpPrompt = StepUpPrompt & {
  number: number
  answer: (answered: StepUpResult) => void
}

let promptCount = 0

/** Shows the step-up dialog for every request of this page that requires a proof. */
export function StepUpDialogHost() {
  const [open, setOpen] = useState<PendingStepUpPrompt | null>(null)
  useEffect(
    () =>
      registerStepUpPrompter(
        (question) =>
          new Promise((resolve) => {
            promptCount += 1
            const answerPrompt = (answered: StepUpResult) => {
              setOpen(null)
              resolve(answered)
            }
            setOpen({ ...question, number: promptCount, answer: answerPrompt })
          }),
      ),
    [],
  )
  return (
    open && (
      <Boundary>
        <StepUpDialog key={open.number} question={open} onAnswer={open.answer} />
      </Boundary>
    )
  )
}
