import type { StepUpChallenge } from '@/lib/errors'

/**
 * `asked`: the proof of identity that the API requires. `isAgain`: an earlier dialog for the same
 * request has expired.
 */
export type StepUpPrompt = {
  asked: StepUpChallenge
  detail: string
  environment: string
  isAgain: boolean
}

/** `again`: the dialog expired and a new one is needed. null: it was canceled. */
export type StepUpResult = { proof: string } | 'again' | null

export type StepUpPrompter = (question: StepUpPrompt) => Promise<StepUpResult>

let registeredPrompter: StepUpPrompter | null = null

/** Registers the function that shows the dialogs of this page. Returns the unregister function. */
export function registerStepUpPrompter(newPrompter: StepUpPrompter): () => void {
  registeredPrompter = newPrompter
  return () => {
    if (registeredPrompter === newPrompter) registeredPrompter = null
  }
}

export const getStepUpPrompter = (): StepUpPrompter | null => registeredPrompter
