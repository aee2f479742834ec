import type { FileProblem } from '@/lib/domain/file-rules'
import { fileProblems } from './labels'

/** Why a file is not taken. */
export type ProblemId = keyof typeof fileProblems

/** Ends the check of a file. */
export class Refusal extends Error {
  readonly problem: FileProblem

  constructor(id: ProblemId) {
    super(id)
    this.problem = fileProblems[id]
  }
}

/** A check that pauses now and then, so that whoever runs it can let others have their turn. Throws `Refusal`, or `RangeError` where it is cut short. */
export type Steps<T = void> = Generator<undefined, T, undefined>
