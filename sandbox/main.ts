import { type EnvironmentSettings, toEnvironmentSettings } from './environment-settings'
import { webhookSecretFile } from './events/open-endpoint'
import { tlsCertificate } from './http/tls-certificate'
import { type Flags, readFlags } from './read-flags'
import { startSandbox } from './start-sandbox'

const progressStep = 20

function quit(line: string, code: number): never {
  console.error(line)
  process.exit(code)
}

function flagsOrQuit(): Flags {
  try {
    return readFlags(process.argv.slice(2))
  } catch (error) {
    return quit(error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'bad flags', 2)
  }
}

function reporter(): (done: number, total: number) => void {
  let next = 0
  return (done, total) => {
    if (done < next && done < total) return
    next = done + total / progressStep
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

const certificate = flags.tls ? await tlsCertificate(flags.data, flags.host) : undefined
for (const world of toEnvironmentSettings(flags)) {
  const running = await startSandbox(world, certificate, reporter()).catch((error: unknown) => quit(toStartError(error, world), 1))
  stopFunctions.push(running.stop)
  if (world.webhook !== undefined && world['webhook-secret'] === undefined)
    console.log(`webhook secret in ${webhookSecretFile(world.data)}`)
  console.log(`${world.environment} ready ${running.url}`)
}
