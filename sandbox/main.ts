import { type EnvironmentSettings, toEnvironmentSettings } from './environment-settings'
import { getWebhookSecretPath } from './events/open-endpoint'
import { readOrMakeCertificate } from './http/tls-certificate'
import { readFlags, type SandboxFlags } from './read-flags'
import { startSandbox } from './start-sandbox'

const progressReportCount = 20

function quitWithLine(line: string, code: number): never {
  console.error(line)
  process.exit(code)
}

function readFlagsOrQuit(): SandboxFlags {
  try {
    return readFlags(process.argv.slice(2))
  } catch (error) {
    return quitWithLine(
      error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'bad flags',
      2,
    )
  }
}

function makeProgressReporter(): (done: number, total: number) => void {
  let nextReportAt = 0
  return (done, total) => {
    if (done < nextReportAt && done < total) return
    nextReportAt = done + total / progressReportCount
    console.log(`seeding payments ${done}/${total}`)
  }
}

function toStartErrorText(
  error: unknown,
  { environment, port, data }: EnvironmentSettings,
): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'EADDRINUSE')
    return `port ${port} is taken; choose another with ${environment === 'production' && flags.environment === 'both' ? '--production-port' : '--port'}`
  if (code.startsWith('SQLITE_BUSY'))
    return `the folder ${data} is in use by another sandbox; choose another with --data`
  return `the sandbox cannot start: ${error instanceof Error ? error.message : 'unknown error'}`
}

const flags = readFlagsOrQuit()
let isStopping = false
const stopFunctions: (() => Promise<void>)[] = []

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (isStopping) return
    isStopping = true
    Promise.all(stopFunctions.map((stop) => stop())).then(
      () => process.exit(0),
      () => process.exit(1),
    )
  })
}

const certificate = flags.tls ? await readOrMakeCertificate(flags.data, flags.host) : undefined
for (const settings of toEnvironmentSettings(flags)) {
  const runningSandbox = await startSandbox(settings, certificate, makeProgressReporter()).catch(
    (error: unknown) => quitWithLine(toStartErrorText(error, settings), 1),
  )
  stopFunctions.push(runningSandbox.stop)
  if (settings.webhook !== undefined && settings['webhook-secret'] === undefined)
    console.log(`webhook secret in ${getWebhookSecretPath(settings.data)}`)
  console.log(`${settings.environment} ready ${runningSandbox.url}`)
}
