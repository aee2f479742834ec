import { readdirSync, readFileSync } from 'node:fs'
import { badSample, goodSample, type Sample } from './sample'

const folder = new URL('made/', import.meta.url)
const readProgramFile = (name: string) => new Uint8Array(readFileSync(new URL(name, folder)))

/** The file in `made/` that must be refused. All others are valid. */
const lockedFile = 'qpdf-user-password.pdf'

/** Files that other programs wrote once. The file's name contains the program; `made/README.md` lists them. */
export const goodProgramFiles: Sample[] = readdirSync(folder)
  .filter((name) => name !== lockedFile && !name.endsWith('.md'))
  .map((name) => goodSample(name, 'written by another program', () => readProgramFile(name)))

export const badProgramFiles: Sample[] = [
  badSample('password', lockedFile, 'locked with a password by another program', () => readProgramFile(lockedFile)),
]
