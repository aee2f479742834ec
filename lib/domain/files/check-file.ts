import { checkDoc } from './doc'
import { checkDocx } from './docx'
import { checkJpeg, checkPng, refuseSecondKind } from './images'
import { checkPdf } from './pdf'
import { fileProblems, Refusal, type Steps } from './refusal'
import { type FileProblem, headProblem, kindOfBytes, nameProblem } from './rules'

const checks = { pdf: checkPdf, png: checkPng, jpg: checkJpeg, doc: checkDoc, docx: checkDocx }
const damaged = { pdf: 'pdfDamaged', png: 'pictureDamaged', jpg: 'pictureDamaged', doc: 'wordDamaged', docx: 'wordDamaged' } as const

/** Milliseconds of work before the check yields to other tasks. */
const turn = 10

function* check(name: string, bytes: Uint8Array): Steps<FileProblem | null> {
  const early = nameProblem(name, bytes.length) ?? headProblem(name, bytes)
  const kind = kindOfBytes(bytes)
  if (early || !kind) return early
  try {
    refuseSecondKind(bytes, kind)
    yield* checks[kind](bytes)
    return null
  } catch (error) {
    if (error instanceof Refusal) return error.problem
    if (error instanceof RangeError) return fileProblems[damaged[kind]]
    throw error
  }
}

/**
 * Checks a file by its name and bytes. Returns the first problem, in the order in which people can fix them, or null. Same in the browser
 * and on the server. Yields regularly, so that a large file does not block other work.
 */
export async function checkFile(name: string, bytes: Uint8Array): Promise<FileProblem | null> {
  const steps = check(name, bytes)
  for (let began = performance.now(); ; ) {
    const step = steps.next()
    if (step.done) return step.value
    if (performance.now() - began < turn) continue
    await new Promise((resolve) => setTimeout(resolve))
    began = performance.now()
  }
}
