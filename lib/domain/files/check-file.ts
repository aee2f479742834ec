import { checkDoc } from './doc'
import { checkDocx } from './docx'
import { checkJpeg, checkPng, refuseSecondKind } from './images'
import { checkPdf, unlockPdf } from './pdf'
import { fileProblems, Refusal, type Steps } from './refusal'
import { detectKind, type FileProblem, headProblem, nameProblem } from './rules'

const damagedProblems = {
  pdf: 'pdfDamaged',
  png: 'pictureDamaged',
  jpg: 'pictureDamaged',
  doc: 'wordDamaged',
  docx: 'wordDamaged',
} as const

type Kind = keyof typeof damagedProblems

const checks: Record<Kind, (bytes: Uint8Array) => Steps> = {
  pdf: checkPdf,
  png: checkPng,
  jpg: checkJpeg,
  doc: checkDoc,
  docx: checkDocx,
}

/** Milliseconds of work before the check yields to other tasks. */
const timeSlice = 10

async function runSteps(steps: Steps): Promise<void> {
  for (let began = performance.now(); !steps.next().done; ) {
    if (performance.now() - began < timeSlice) continue
    await new Promise((resolve) => setTimeout(resolve))
    began = performance.now()
  }
}

async function checkContent(kind: Kind, bytes: Uint8Array): Promise<void> {
  refuseSecondKind(bytes, kind)
  const unlocked = kind === 'pdf' ? await unlockPdf(bytes) : null
  if (!unlocked) return runSteps(checks[kind](bytes))
  await runSteps(checkPdf(bytes, 'locked'))
  await runSteps(checkPdf(unlocked, 'opened'))
}

/**
 * Checks a file by its name and bytes. Returns null, or the first problem, in the order in which people can fix them. The browser and the
 * server run the same check. It yields regularly, so that a large file does not block other work.
 */
export async function checkFile(name: string, bytes: Uint8Array): Promise<FileProblem | null> {
  const early = nameProblem(name, bytes.length) ?? headProblem(name, bytes)
  const kind = detectKind(bytes)
  if (early || !kind) return early
  try {
    await checkContent(kind, bytes)
    return null
  } catch (error) {
    // Any other error comes from the library that read the file, so the file is damaged.
    return error instanceof Refusal ? error.problem : fileProblems[damagedProblems[kind]]
  }
}
