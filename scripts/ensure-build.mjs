import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundlePrograms, programs } from './bundle.mjs'
import { hashFiles } from './hash-files.mjs'
import { PlainError, runQuietly, secondsSince } from './run-quietly.mjs'

const sources = [
  'app',
  'components',
  'lib',
  'public',
  'sandbox',
  'scripts/cli',
  'drizzle',
  'proxy.ts',
  'instrumentation.ts',
  'instrumentation-client.ts',
]
const configs = ['next.config.mjs', 'postcss.config.mjs', 'tailwind.config.ts', 'tsconfig.json', 'package-lock.json', 'scripts/bundle.mjs']

/**
 * Changes whenever a build would give something else.
 * @param {Record<string, string | undefined>} env
 */
export function buildHash(root, env = process.env) {
  const dotenv = readdirSync(root).filter((name) => name.startsWith('.env') && name !== '.env.example')
  const inlined = Object.entries(env)
    .filter(([name]) => name.startsWith('NEXT_PUBLIC_'))
    .sort()
  return hashFiles(root, [...sources, ...configs, ...dotenv], [inlined, process.version])
}

/** Builds the dashboard, the sandbox and the tools, unless the last build was of the same sources. */
export async function ensureBuild(root, say) {
  const marker = join(root, '.next/.ensure-build')
  const hash = buildHash(root)
  const whole = ['.next/BUILD_ID', ...Object.keys(programs(root)).map((name) => `${name}.mjs`)].every((path) =>
    existsSync(join(root, path)),
  )
  if (whole && existsSync(marker) && readFileSync(marker, 'utf8') === hash) return

  // A build that breaks off must not look whole the next time.
  rmSync(marker, { force: true })
  const start = Date.now()
  say('building the dashboard and the sandbox…')
  await bundlePrograms(root).catch((error) => {
    throw new PlainError(`bundling failed\n${error.message}`)
  })
  const next = [join(root, 'node_modules/next/dist/bin/next'), 'build']
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }
  await runQuietly(process.execPath, next, { cwd: root, env, what: 'next build' })
  mkdirSync(join(root, '.next'), { recursive: true })
  writeFileSync(marker, hash)
  say(`built in ${secondsSince(start)}`)
}
