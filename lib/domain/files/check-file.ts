import { checkDoc } from './doc'
import { checkDocx } from './docx'
import { checkJpeg, checkPng, refuseSecondKind } from './images'
import { checkPdf } from './pdf'
import { fileProblems, Refusal, type Steps } from './refusal'
import { type FileProblem, headProblem, kindOfBytes, nameProblem } from './rules'

const checks = { pdf: checkPdf, png: checkPng, jpg: checkJpeg, doc: checkDoc, docx: checkDocx }
const damaged = { pdf: 'pdfDamaged', png: 'pictureDamaged', jpg: 'pictureDamaged', doc: 'wordDamaged', docx: 'wordDamaged' } as const

/** How long a check goes on before others have their turn, in milliseconds. */
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
 * Everything that can be said of a file from its name and its bytes, in the order in which people can fix it; null means that it may be
 * taken. The same in the browser and on the server. It takes turns with whatever else runs, so that a large file holds nobody up.
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
