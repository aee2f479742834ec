import { cpus } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { pinSelf } from './lib/pin.mjs'

const benchmarkNames = [
  'proxy',
  'bundle',
  'pages',
  'stalls',
  'rows',
  'uploads',
  'sandbox',
  'memory',
  'durability',
  'release',
  'live',
  'idle',
  'million',
  'audit',
  'exports',
]

function exitWithError(line) {
  console.error(line)
  process.exit(2)
}

const flagDefinitions = {
  quick: { type: 'boolean', default: false },
  against: { type: 'string' },
  payments: { type: 'string', default: '1000000' },
  seed: { type: 'string', default: '1' },
}

function readFlags() {
  try {
    return parseArgs({ allowPositionals: true, options: flagDefinitions })
  } catch (error) {
    return exitWithError(error.message)
  }
}

const { values, positionals } = readFlags()
const unknownName = positionals.find((name) => !benchmarkNames.includes(name))
if (unknownName)
  exitWithError(`${unknownName} is not a benchmark: choose from ${benchmarkNames.join(', ')}`)
for (const name of ['payments', 'seed'])
  if (!/^\d+$/.test(values[name])) exitWithError(`--${name} must be a whole number`)

const isPinned = pinSelf()
const benchmarkOptions = {
  ...values,
  pinned: isPinned,
  payments: Number(values.payments),
  seed: Number(values.seed),
  against: values.against && resolve(values.against),
}
console.info(
  `${cpus().length} x ${cpus()[0]?.model.trim()}, Node ${process.version}, ${process.platform}`,
)
console.info(
  isPinned
    ? 'dashboard on core 0; load generator and the sandbox behind it on core 1'
    : 'not pinned to cores: no taskset, or one core',
)
for (const name of positionals.length > 0 ? positionals : benchmarkNames) {
  console.info(`\n${name}`)
  const benchmark = await import(`./${name}.mjs`)
  await benchmark[name](benchmarkOptions)
}
