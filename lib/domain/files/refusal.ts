import type { FileProblem } from './rules'

const newPdfFix = 'Open the file and print it to a new PDF.'
const newPictureFix = 'Open the picture and save a copy as JPG or PNG.'
const newWordFix = 'Open the file in a word processor and save it as PDF.'

export const fileProblems = {
  pdfDamaged: { id: 'damaged', reason: 'The PDF is damaged or not complete.', fix: newPdfFix },
  pdfTail: { id: 'tail', reason: 'Other data follows the end of the PDF.', fix: newPdfFix },
  pdfPassword: {
    id: 'password',
    reason: 'The PDF is protected by a password.',
    fix: 'Print it to a new PDF without a password.',
  },
  pdfScript: { id: 'script', reason: 'The PDF holds JavaScript.', fix: newPdfFix },
  pdfLaunch: { id: 'launch', reason: 'The PDF can start a program.', fix: newPdfFix },
  pdfOpening: {
    id: 'opening',
    reason: 'The PDF does something when it is opened or turned.',
    fix: newPdfFix,
  },
  pdfSends: {
    id: 'sends',
    reason: 'The PDF holds a form that sends or imports data.',
    fix: newPdfFix,
  },
  pdfAttachment: {
    id: 'attachment',
    reason: 'Other files are attached inside the PDF.',
    fix: 'Print it to a new PDF, and upload the attached files on their own.',
  },
  pdfMedia: { id: 'media', reason: 'The PDF holds sound, video or 3D content.', fix: newPdfFix },
  pdfXfa: { id: 'form', reason: 'The PDF is a dynamic form (XFA).', fix: newPdfFix },
  pictureDamaged: {
    id: 'damaged',
    reason: 'The picture is damaged or not complete.',
    fix: newPictureFix,
  },
  pictureTail: {
    id: 'tail',
    reason: 'Other data follows the end of the picture.',
    fix: newPictureFix,
  },
  pictureScript: { id: 'script', reason: 'The picture holds program text.', fix: newPictureFix },
  picturePixels: {
    id: 'pixels',
    reason: 'The picture has more than 50 million pixels.',
    fix: 'Scan it at a lower resolution or make it smaller.',
  },
  wordDamaged: {
    id: 'damaged',
    reason: 'The Word document is damaged or not complete.',
    fix: newWordFix,
  },
  wordMacros: {
    id: 'macros',
    reason: 'The Word document holds macros.',
    fix: 'Save it as a plain .docx or as PDF.',
  },
  wordPassword: {
    id: 'password',
    reason: 'The Word document is protected by a password.',
    fix: 'Remove the password (File, Info, Protect Document), or save it as PDF.',
  },
  wordEmbedded: {
    id: 'embedded',
    reason: 'Other files or objects are embedded in the Word document.',
    fix: newWordFix,
  },
  wordExternal: {
    id: 'external',
    reason: 'The Word document loads something from elsewhere when it is opened.',
    fix: newWordFix,
  },
  wordOld: { id: 'old', reason: 'The Word document is from before Word 97.', fix: newWordFix },
  wordTooLarge: {
    id: 'unpacked',
    reason: 'The Word document unpacks to far more than it should.',
    fix: newWordFix,
  },
  wordEntries: {
    id: 'entries',
    reason: 'The Word document is made of more than 1,000 parts.',
    fix: newWordFix,
  },
  wordOther: {
    id: 'kind',
    reason: 'The name ends in .docx but its content is another kind of zip file.',
    fix: newWordFix,
  },
  docOther: {
    id: 'kind',
    reason: 'The name ends in .doc but its content is another kind of Office file.',
    fix: newWordFix,
  },
  tooComplex: {
    id: 'complex',
    reason: 'The file is too complex to be checked.',
    fix: 'Print it to a new PDF, or scan it.',
  },
  twoKinds: {
    id: 'polyglot',
    reason: 'The file is of two kinds at once.',
    fix: 'Open it and save a new copy as PDF.',
  },
} as const

export type ProblemId = keyof typeof fileProblems

export class FileRefusal extends Error {
  readonly problem: FileProblem

  constructor(id: ProblemId) {
    super(id)
    this.problem = fileProblems[id]
  }
}

/**
 * The steps of a file check. Yields regularly, so that other work can run. Throws `FileRefusal`, or
 * `RangeError` if the file is truncated.
 */
export type PausableCheck<T = void> = Generator<undefined, T, undefined>
