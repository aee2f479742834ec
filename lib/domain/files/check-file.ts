import { checkDoc } from './doc'
import { checkDocx } from './docx'
import { checkJpeg, checkPng, refuseSecondKind } from './images'
import { checkPdf, unlockPdf } from './pdf'
import { type CheckSteps, FileRefusal, fileProblems } from './refusal'
import { detectKind, type FileProblem, findHeadProblem, findNameProblem } from './rules'

const damagedProblems = {
  pdf: 'pdfDamaged',
  png: 'pictureDamaged',
  jpg: 'pictureDamaged',
  doc: 'wordDamaged',
  docx: 'wordDamaged',
} as const

type Kind = keyof typeof damagedProblems

const checkByKind: Record<Kind, (bytes: Uint8Array) => CheckSteps> = {
  pdf: checkPdf,
  png: checkPng,
  jpg: checkJpeg,
  doc: checkDoc,
  docx: checkDocx,
}

/** Milliseconds of work before the check yields to other tasks. */
const timeSlice = 10

async function runSteps(steps: CheckSteps): Promise<void> {
  for (let began = performance.now(); !steps.next().done; ) {
    if (performance.now() - began < timeSlice) continue
    await new Promise((resolve) => setTimeout(resolve))
    began = performance.now()
  }
}

async function checkContent(kind: Kind, bytes: Uint8Array): Promise<void> {
  refuseSecondKind(bytes, kind)
  const unlocked = kind === 'pdf' ? await unlockPdf(bytes) : null
  if (!unlocked) return runSteps(checkByKind[kind](bytes))
  await runSteps(checkPdf(bytes, 'locked'))
  await runSteps(checkPdf(unlocked, 'opened'))
}

/**
 * Checks a file by its name and bytes. Returns null, or the first problem, in the order in which people can fix them. The browser and the
 * server run the same check. It yields regularly, so that a large file does not block other work.
 */
export async function checkFile(name: string, bytes: Uint8Array): Promise<FileProblem | null> {
  const earlyProblem = findNameProblem(name, bytes.length) ?? findHeadProblem(name, bytes)
  const kind = detectKind(bytes)
  if (earlyProblem || !kind) return earlyProblem
  try {
    await checkContent(kind, bytes)
    return null
  } catch (error) {
    // Any other error comes from the library that read the file, so the file is damaged.
    return error instanceof FileRefusal ? error.problem : fileProblems[damagedProblems[kind]]
  }
}
