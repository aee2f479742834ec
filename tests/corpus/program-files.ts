import { readdirSync, readFileSync } from 'node:fs'
import { createBadSample, createGoodSample, type SampleFile } from './sample'

const thirdPartyFolder = new URL('made/', import.meta.url)
const readThirdPartyFile = (name: string) =>
  new Uint8Array(readFileSync(new URL(name, thirdPartyFolder)))

/** The only file in `made/` that the upload check must refuse. */
const lockedFileName = 'qpdf-user-password.pdf'

/**
 * Valid files that other programs wrote. Each file name contains the name of the program;
 * `made/README.md` lists them.
 */
export const goodThirdPartyFiles: SampleFile[] = readdirSync(thirdPartyFolder)
  .filter((name) => name !== lockedFileName && !name.endsWith('.md'))
  .map((name) =>
    createGoodSample(name, 'written by another program', () => readThirdPartyFile(name)),
  )

export const badThirdPartyFiles: SampleFile[] = [
  createBadSample('password', lockedFileName, 'locked with a password by another program', () =>
    readThirdPartyFile(lockedFileName),
  ),
]
