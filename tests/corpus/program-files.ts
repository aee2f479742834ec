import { readdirSync, readFileSync } from 'node:fs'
import { createBadSample, createGoodSample, type SampleFile } from './sample'

const thirdPartyFolder = new URL('made/', import.meta.url)
const readThirdPartyFile = (name: string) =>
  new Uint8Array(readFileSync(new URL(name, thirdPartyFolder)))

/** The files in `made/` that the upload check must refuse, each with the id of its problem. */
const problemByBadFileName: Readonly<Record<string, string>> = {
  'qpdf-user-password.pdf': 'password',
  'dde-field.doc': 'external',
  'dde-field.docx': 'external',
}

/**
 * Valid files that other programs wrote. Each file name contains the name of the program;
 * `made/README.md` lists them.
 */
export const goodThirdPartyFiles: SampleFile[] = readdirSync(thirdPartyFolder)
  .filter((name) => !(name in problemByBadFileName) && !name.endsWith('.md'))
  .map((name) =>
    createGoodSample(name, 'written by another program', () => readThirdPartyFile(name)),
  )

export const badThirdPartyFiles: SampleFile[] = Object.entries(problemByBadFileName).map(
  ([name, problem]) =>
    createBadSample(problem, name, 'written by another program', () => readThirdPartyFile(name)),
)
