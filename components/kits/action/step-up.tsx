'use client'

import { lazy, useEffect, useState } from 'react'
import { Boundary } from '@/components/ui/boundary'
import { type Answered, onStepUp, type Question } from '@/lib/client/step-up/question'

const StepUpDialog = lazy(() => import('./step-up-dialog').then((module) => ({ default: module.StepUpDialog })))

type Open = Question & { number: number; answer: (answered: Answered) => void }

let questionCount = 0

/** Shows the step-up dialog for every request of this page that requires a proof. */
export function StepUp() {
  const [open, setOpen] = useState<Open | null>(null)
  useEffect(
    () =>
      onStepUp(
        (question) =>
          new Promise((resolve) => {
            questionCount += 1
            const answer = (answered: Answered) => {
              setOpen(null)
              resolve(answered)
            }
            setOpen({ ...question, number: questionCount, answer })
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
