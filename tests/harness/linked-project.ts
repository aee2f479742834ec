import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { findBuiltPages } from './built-pages'

/**
 * Creates a symbolic link in the folder `to` for each entry of the folder `from`, except the one
 * named `except`.
 */
export function linkFolderEntries(from: string, to: string, except = ''): void {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from))
    if (name !== except) symlinkSync(resolve(from, name), join(to, name))
}

/** A temporary folder with links to the built project. A server can start in it. */
export type LinkedProject = { folder: string; remove: () => void }

/**
 * Creates a folder with links to the project, but with its own folder of built pages. The first
 * parameter is the relative path of the pages, such as `.next/pages`. The callback gets their
 * absolute path and writes them.
 */
export function linkProject(pagesPath: string, writePages: (into: string) => void): LinkedProject {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-linked-'))
  linkFolderEntries('.', folder, '.next')
  writePages(join(folder, pagesPath))
  writeFileSync(join(folder, '.next/current'), pagesPath)
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/**
 * Returns a linked project without the proxy (`proxy.ts`): the build’s list of functions is empty,
 * so Next does not run it.
 */
export const createProjectWithoutProxy = (): LinkedProject =>
  linkProject('.next/pages', (into) => {
    const functionsFile = 'functions-config-manifest.json'
    linkFolderEntries(findBuiltPages(''), into, 'server')
    linkFolderEntries(findBuiltPages('server'), join(into, 'server'), functionsFile)
    writeFileSync(
      join(into, 'server', functionsFile),
      JSON.stringify({ version: 1, functions: {} }),
    )
  })
