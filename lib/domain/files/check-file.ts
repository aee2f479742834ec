import { checkDoc } from './doc'
import { checkDocx } from './docx'
import { checkJpeg, checkPng, refuseSecondFormat } from './images'
import { checkPdf, unlockPdf } from './pdf'
import { FileRefusal, fileProblems, type PausableCheck } from './refusal'
import {
  detectFileKind,
  type FileProblem,
  findFirstBytesProblem,
  findNameOrSizeProblem,
} from './rules'

const damageProblemByKind = {
  pdf: 'pdfDamaged',
  png: 'pictureDamaged',
  jpg: 'pictureDamaged',
  doc: 'wordDamaged',
  docx: 'wordDamaged',
} as const

type FileKind = keyof typeof damageProblemByKind

const checkByKind: Record<FileKind, (bytes: Uint8Array) => PausableCheck> = {
  pdf: checkPdf,
  png: checkPng,
  jpg: checkJpeg,
  doc: checkDoc,
  docx: checkDocx,
}

/** Milliseconds of work before the check yields to other tasks. */
const timeSliceMs = 10

async function runCheckInSlices(steps: PausableCheck): Promise<void> {
  for (let sliceStartedAt = performance.now(); !steps.next().done; ) {
    if (performance.now() - sliceStartedAt < timeSliceMs) continue
    await new Promise((resolve) => setTimeout(resolve))
    sliceStartedAt = performance.now()
  }
}

async function checkContent(kind: FileKind, bytes: Uint8Array): Promise<void> {
  refuseSecondFormat(bytes, kind)
  const unlockedBytes = kind === 'pdf' ? await unlockPdf(bytes) : null
  if (!unlockedBytes) return runCheckInSlices(checkByKind[kind](bytes))
  await runCheckInSlices(checkPdf(bytes, 'locked'))
  await runCheckInSlices(checkPdf(unlockedBytes, 'opened'))
}

/**
 * The browser and the server run the same check, which returns the first problem, or null. It
 * pauses regularly, so that a large file does not block other work.
 */
export async function checkFile(name: string, bytes: Uint8Array): Promise<FileProblem | null> {
  const preliminaryProblem =
    findNameOrSizeProblem(name, bytes.length) ?? findFirstBytesProblem(name, bytes)
  const kind = detectFileKind(bytes)
  if (preliminaryProblem || !kind) return preliminaryProblem
  try {
    await checkContent(kind, bytes)
    return null
  } catch (error) {
    // Any other error comes from the library that read the file, so the file is damaged.
    return error instanceof FileRefusal ? error.problem : fileProblems[damageProblemByKind[kind]]
  }
}
