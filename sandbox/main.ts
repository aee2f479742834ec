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

/** At most about twenty lines, whatever the size. */
function reporter(): (done: number, total: number) => void {
  let next = 0
  return (done, total) => {
    if (done < next && done < total) return
    next = done + total / progressStep
    console.log(`seeding payments ${done}/${total}`)
  }
}

function reasonOf(error: unknown, flags: Flags): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'EADDRINUSE') return `port ${flags.port} is taken; choose another with --port`
  if (code.startsWith('SQLITE_BUSY')) return `the folder ${flags.data} is in use by another sandbox; choose another with --data`
  return `the sandbox cannot start: ${error instanceof Error ? error.message : 'unknown error'}`
}

const flags = flagsOrQuit()
let stopping = false
let stop = async (): Promise<void> => undefined

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (stopping) return
    stopping = true
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  })
}

const running = await startSandbox(flags, reporter()).catch((error: unknown) => quit(reasonOf(error, flags), 1))
stop = running.stop
console.log(`sandbox ready ${running.url}`)
