import { parseArgs } from 'node:util'
import { getErrorCode } from '@/lib/server/error-code'
import { startServer } from '@/lib/server/http/listen/serve'
import { log } from '@/lib/server/log'
import { takePages, writeServerPidFile } from '@/scripts/start/pages.mjs'

const { values } = parseArgs({
  options: {
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '3000' },
    dev: { type: 'boolean', default: false },
  },
})

/**
 * Logs nothing on a read-only file system, as in a container: the PID file protects the pages from
 * later builds, which cannot remove them there.
 */
function logPidFileFailure(error: unknown): void {
  const errorCode = getErrorCode(error)
  if (errorCode !== 'EROFS') log.warn({ event: 'pages.not_marked', code: errorCode })
}

async function startDashboardServer({ host, port, dev }: typeof values): Promise<void> {
  if (dev) writeServerPidFile('.', '.next/dev')
  await startServer({
    host,
    port: Number(port),
    dev,
    ...(dev ? {} : { pages: takePages('.', logPidFileFailure) }),
  })
}

startDashboardServer(values).then(
  () => process.stdout.write('✓ Ready\n'),
  (error: unknown) => {
    process.stderr.write(
      `Paydesk cannot start: ${error instanceof Error ? error.message : 'unknown reason'}\n`,
    )
    process.exit(1)
  },
)
