import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const linkAll = (from: string, to: string, but: string) => {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) if (name !== but) symlinkSync(resolve(from, name), join(to, name))
}

/** The project as it was built, save that Next knows of no proxy: a folder to start it in, and what removes it. */
export function buildWithoutProxy(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-without-proxy-'))
  const functions = 'functions-config-manifest.json'
  linkAll('.', folder, '.next')
  linkAll('.next', join(folder, '.next'), 'server')
  linkAll('.next/server', join(folder, '.next/server'), functions)
  writeFileSync(join(folder, '.next/server', functions), JSON.stringify({ version: 1, functions: {} }))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
