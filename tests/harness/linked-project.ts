import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { builtPages } from './built-pages'

/** Fills a folder with links to everything in another folder, except one name. */
export function linkAll(from: string, to: string, except = ''): void {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) if (name !== except) symlinkSync(resolve(from, name), join(to, name))
}

/** A copy of the built project, made of links, in a folder from which it can be started. */
export type LinkedProject = { folder: string; remove: () => void }

/** Links the project into a new folder. `fill` puts the pages into the folder of pages, relative to the new one. */
export function linkProject(pages: string, fill: (into: string) => void): LinkedProject {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-linked-'))
  linkAll('.', folder, '.next')
  fill(join(folder, pages))
  writeFileSync(join(folder, '.next/current'), pages)
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** The project without its proxy: Next does not find one. */
export const projectWithoutProxy = (): LinkedProject =>
  linkProject('.next/pages', (into) => {
    const functions = 'functions-config-manifest.json'
    linkAll(builtPages(''), into, 'server')
    linkAll(builtPages('server'), join(into, 'server'), functions)
    writeFileSync(join(into, 'server', functions), JSON.stringify({ version: 1, functions: {} }))
  })
