import { type EnvironmentSettings, toEnvironmentSettings } from './environment-settings'
import { webhookSecretFile } from './events/open-endpoint'
import { readOrMakeCertificate } from './http/tls-certificate'
import { type Flags, readFlags } from './read-flags'
import { startSandbox } from './start-sandbox'

const progressStep = 20

function quitWithLine(line: string, code: number): never {
  console.error(line)
  process.exit(code)
}

function flagsOrQuit(): Flags {
  try {
    return readFlags(process.argv.slice(2))
  } catch (error) {
    return quitWithLine(error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'bad flags', 2)
  }
}

function makeProgressReporter(): (done: number, total: number) => void {
  let nextPercent = 0
  return (done, total) => {
    if (done < nextPercent && done < total) return
    nextPercent = done + total / progressStep
    console.log(`seeding payments ${done}/${total}`)
  }
}

function toStartError(error: unknown, { environment, port, data }: EnvironmentSettings): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'EADDRINUSE')
    return `port ${port} is taken; choose another with ${environment === 'production' && flags.environment === 'both' ? '--production-port' : '--port'}`
  if (code.startsWith('SQLITE_BUSY')) return `the folder ${data} is in use by another sandbox; choose another with --data`
  return `the sandbox cannot start: ${error instanceof Error ? error.message : 'unknown error'}`
}

const flags = flagsOrQuit()
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
for (const world of toEnvironmentSettings(flags)) {
  const runningSandbox = await startSandbox(world, certificate, makeProgressReporter()).catch((error: unknown) =>
    quitWithLine(toStartError(error, world), 1),
  )
  stopFunctions.push(runningSandbox.stop)
  if (world.webhook !== undefined && world['webhook-secret'] === undefined)
    console.log(`webhook secret in ${webhookSecretFile(world.data)}`)
  console.log(`${world.environment} ready ${runningSandbox.url}`)
}
