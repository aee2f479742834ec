import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { findBuiltPages } from './built-pages'

/** Creates links in the folder `to` for everything in the folder `from`, except one name. */
export function linkAll(from: string, to: string, except = ''): void {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) if (name !== except) symlinkSync(resolve(from, name), join(to, name))
}

/** A copy of the built project that consists of links. A server can start in its folder. */
export type LinkedProject = { folder: string; remove: () => void }

/** Links the project into a new folder. `pages` is the relative path of the new folder for pages, which `fill` fills. */
export function linkProject(pages: string, fill: (into: string) => void): LinkedProject {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-linked-'))
  linkAll('.', folder, '.next')
  fill(join(folder, pages))
  writeFileSync(join(folder, '.next/current'), pages)
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Returns a project whose build lacks the proxy (`proxy.ts`), so that Next does not run it. */
export const projectWithoutProxy = (): LinkedProject =>
  linkProject('.next/pages', (into) => {
    const functionsFile = 'functions-config-manifest.json'
    linkAll(findBuiltPages(''), into, 'server')
    linkAll(findBuiltPages('server'), join(into, 'server'), functionsFile)
    writeFileSync(join(into, 'server', functionsFile), JSON.stringify({ version: 1, functions: {} }))
  })
