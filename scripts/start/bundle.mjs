// Bundles programs into one file each, for plain Node. esbuild is imported late: it is installed only when these functions run.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const sandbox = 'sandbox/build/sandbox'

/**
 * Returns the programs as `{ program: source }`, without the program's `.mjs`. The sandbox's bundle goes to the path that its own start
 * script uses, beside its packages.
 */
export function programs(root) {
  const names = readdirSync(join(root, 'scripts/cli')).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  return {
    [sandbox]: 'sandbox/main.ts',
    ...Object.fromEntries(names.map((name) => [`build/${name.slice(0, -3)}`, `scripts/cli/${name}`])),
  }
}

/** Returns esbuild's options for the named programs. Packages stay external, in node_modules. */
const optionsFor = (root, names) => ({
  absWorkingDir: root,
  entryPoints: Object.fromEntries(names.map((name) => [name, programs(root)[name]])),
  outdir: root,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  packages: 'external',
  // `server-only` throws outside a React server build. A program always runs on the server, so a module without effect replaces it.
  alias: { 'server-only': 'node:process' },
  sourcemap: true,
  tsconfig: join(root, 'tsconfig.json'),
  logLevel: 'silent',
})

/** Bundles the named programs, by default all. Throws esbuild's own error, whose text contains file and line. */
export async function bundlePrograms(root, names = Object.keys(programs(root))) {
  const { build } = await import('esbuild')
  await build(optionsFor(root, names))
}

/** Bundles the sandbox now and after each change of its sources. Calls back after each successful bundle. */
export async function watchSandbox(root, onBuilt) {
  const { context } = await import('esbuild')
  const report = ({ errors }) => {
    for (const { location, text } of errors) console.error(`sandbox │ ${location?.file ?? ''}: ${text}`)
    return errors.length ? undefined : onBuilt()
  }
  const plugins = [{ name: 'report', setup: (build) => build.onEnd(report) }]
  const watched = await context({ ...optionsFor(root, [sandbox]), plugins })
  await watched.watch()
}
