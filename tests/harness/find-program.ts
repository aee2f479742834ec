import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Folders with system programs that the PATH of a user often lacks. */
const systemFolders = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin']

/** Returns the folders with PostgreSQL's programs on Debian, newest version first. */
function listPostgresFolders(): string[] {
  const versionsFolder = '/usr/lib/postgresql'
  if (!existsSync(versionsFolder)) return []
  return readdirSync(versionsFolder)
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => join(versionsFolder, version, 'bin'))
}

/**
 * Returns the path of a system program, such as nginx. If it is missing, throws an error that names
 * the package to install.
 */
export function findProgram(name: string): string {
  const searchedFolders = [
    ...(process.env.PATH ?? '').split(':'),
    ...systemFolders,
    ...listPostgresFolders(),
  ]
  const programPath = searchedFolders
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))
  if (!programPath)
    throw new Error(
      `this drill needs ${name}: install it with the packages of your system (apt-get install ${name})`,
    )
  return programPath
}
