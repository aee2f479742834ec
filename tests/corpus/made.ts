import { readdirSync, readFileSync } from 'node:fs'
import { bad, goodSample, type Sample } from './sample'

const folder = new URL('made/', import.meta.url)
const read = (name: string) => new Uint8Array(readFileSync(new URL(name, folder)))

/** The file in `made/` that must be refused. All others are valid. */
const locked = 'qpdf-user-password.pdf'

/** Files that other programs wrote once. The file's name contains the program; `made/README.md` lists them. */
export const goodMade: Sample[] = readdirSync(folder)
  .filter((name) => name !== locked && !name.endsWith('.md'))
  .map((name) => goodSample(name, 'written by another program', () => read(name)))

export const badMade: Sample[] = [bad('password', locked, 'locked with a password by another program', () => read(locked))]
