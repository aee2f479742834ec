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

/** Starts PgBouncer in transaction mode in front of a database, with typical settings. `url` is the URL of the database through it. */
export async function startPgBouncer(databaseUrl: string) {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-pgbouncer-'))
  const port = await findFreePort()
  const { hostname, port: serverPort } = new URL(databaseUrl)
  const settings = [
    '[databases]',
    `* = host=${hostname} port=${serverPort}`,
    '[pgbouncer]',
    'pool_mode = transaction',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'auth_type = any',
    'unix_socket_dir =',
  ]
  // With auth_type "any", PgBouncer connects to the server as the user that is configured for the database.
  const user = decodeURIComponent(new URL(databaseUrl).username)
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    settings.join('\n').replace(/^\*.*$/m, (line) => `${line} user=${user}`),
  )
  chmodSync(folder, 0o755)
  // PgBouncer refuses to run as root. 65534 is usually the id of the user without rights.
  const unprivileged = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
  const child = spawn(findProgram('pgbouncer'), [join(folder, 'pgbouncer.ini')], { ...unprivileged, stdio: ['ignore', 'pipe', 'pipe'] })
  let outputText = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => {
      outputText += part.toString()
    })
  const url = new URL(databaseUrl)
  url.port = String(port)
  await waitUntil('PgBouncer', () => {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended: ${outputText}`)
    return canConnect(url.href)
  })
  return {
    url: url.href,
    stop: async () => {
      child.kill('SIGTERM')
      await waitForExit(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
