import type { StepUpChallenge } from '@/lib/errors'

/**
 * The content of a step-up dialog, in which a person proves their identity again for one request:
 * the required proof (`asked`), its text, and the environment of the request. `isAgain` is true if
 * an earlier dialog for the request has expired.
 */
export type StepUpPrompt = {
  asked: StepUpChallenge
  detail: string
  environment: string
  isAgain: boolean
}

/**
 * The result of a dialog: the id of the proof, `again` if the dialog expired and a new one is
 * needed, null if it was canceled.
 */
export type StepUpResult = { proof: string } | 'again' | null

/** Shows a step-up dialog to the person. */
export type StepUpPrompter = (question: StepUpPrompt) => Promise<StepUpResult>

let registeredPrompter: StepUpPrompter | null = null

/** Registers the function that shows the dialogs of this page. Returns the unregister function. */
export function registerStepUpPrompter(newPrompter: StepUpPrompter): () => void {
  registeredPrompter = newPrompter
  return () => {
    if (registeredPrompter === newPrompter) registeredPrompter = null
  }
}

/** Returns the function that shows the dialogs of this page; null if there is none. */
export const getStepUpPrompter = (): StepUpPrompter | null => registeredPrompter
