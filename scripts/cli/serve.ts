import { parseArgs } from 'node:util'
import { getErrorCode } from '@/lib/server/error-code'
import { startServer } from '@/lib/server/http/listen/serve'
import { log } from '@/lib/server/log'
import { reserveCurrentPages, writeServerPidFile } from '@/scripts/start/pages.mjs'

const { values } = parseArgs({
  options: {
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '3000' },
    dev: { type: 'boolean', default: false },
  },
})

/**
 * Logs that the PID file, which protects the pages from removal by later builds, could not be
 * written. Logs nothing on a read-only file system, as in a container, because later builds cannot
 * remove the pages there.
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
    ...(dev ? {} : { pages: reserveCurrentPages('.', logPidFileFailure) }),
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
