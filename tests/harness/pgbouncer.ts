import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { findProgram } from './find-program'
import { findFreePort } from './free-port'
import { waitForExit, waitUntil } from './wait-until'

async function canConnect(url: string): Promise<true | null> {
  const client = new Client(url)
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return null
  }
}

/**
 * Starts PgBouncer in transaction mode in front of a database, with typical settings. The returned
 * `url` leads to the database through PgBouncer.
 */
export async function startPgBouncer(databaseUrl: string) {
  const tempFolder = mkdtempSync(join(tmpdir(), 'paydesk-pgbouncer-'))
  const port = await findFreePort()
  const { hostname, port: serverPort } = new URL(databaseUrl)
  const configLines = [
    '[databases]',
    `* = host=${hostname} port=${serverPort}`,
    '[pgbouncer]',
    'pool_mode = transaction',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'auth_type = any',
    'unix_socket_dir =',
  ]
  // With `auth_type = any`, PgBouncer ignores the user of the client. It connects to the server as
  // the user in the `[databases]` section.
  const databaseUser = decodeURIComponent(new URL(databaseUrl).username)
  writeFileSync(
    join(tempFolder, 'pgbouncer.ini'),
    configLines.join('\n').replace(/^\*.*$/m, (line) => `${line} user=${databaseUser}`),
  )
  chmodSync(tempFolder, 0o755)
  // PgBouncer refuses to run as root. 65534 is usually the id of `nobody`, a user without rights.
  const unprivilegedUser = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
  const pgBouncerProcess = spawn(findProgram('pgbouncer'), [join(tempFolder, 'pgbouncer.ini')], {
    ...unprivilegedUser,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let outputText = ''
  for (const stream of [pgBouncerProcess.stdout, pgBouncerProcess.stderr])
    stream.on('data', (part: Buffer) => {
      outputText += part.toString()
    })
  const url = new URL(databaseUrl)
  url.port = String(port)
  await waitUntil('PgBouncer', () => {
    if (pgBouncerProcess.exitCode !== null) throw new Error(`pgbouncer ended: ${outputText}`)
    return canConnect(url.href)
  })
  return {
    url: url.href,
    stop: async () => {
      pgBouncerProcess.kill('SIGTERM')
      await waitForExit(pgBouncerProcess)
      rmSync(tempFolder, { recursive: true, force: true })
    },
  }
}
