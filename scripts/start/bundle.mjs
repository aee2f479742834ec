// Bundles each program into one file for Node. esbuild is imported dynamically, because it may not be installed yet when this file is
// loaded.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const sandbox = 'sandbox/build/sandbox'

/**
 * Returns the programs as `{ path of the bundle, without .mjs: path of the source }`. The sandbox's bundle is in the sandbox's own folder,
 * where its start script and its packages are.
 */
export function listPrograms(root) {
  const names = readdirSync(join(root, 'scripts/cli')).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  return {
    [sandbox]: 'sandbox/main.ts',
    ...Object.fromEntries(names.map((name) => [`build/${name.slice(0, -3)}`, `scripts/cli/${name}`])),
  }
}

/** Returns esbuild's options to bundle the named programs. Packages are not bundled; they are loaded from node_modules. */
const createBuildOptions = (root, names) => ({
  absWorkingDir: root,
  entryPoints: Object.fromEntries(names.map((name) => [name, listPrograms(root)[name]])),
  outdir: root,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  packages: 'external',
  // The package `server-only` throws outside a React server build. These programs always run on the server, so a harmless module replaces
  // it.
  alias: { 'server-only': 'node:process' },
  sourcemap: true,
  tsconfig: join(root, 'tsconfig.json'),
  logLevel: 'silent',
})

/** Bundles the named programs, by default all. Throws esbuild's own error, whose text contains the file and the line. */
export async function bundlePrograms(root, names = Object.keys(listPrograms(root))) {
  const { build } = await import('esbuild')
  await build(createBuildOptions(root, names))
}

/** Bundles the sandbox now and after each change of its sources. Calls `onBuilt` after each bundle without errors. */
export async function watchSandbox(root, onBuilt) {
  const { context } = await import('esbuild')
  const report = ({ errors }) => {
    for (const { location, text } of errors) console.error(`sandbox │ ${location?.file ?? ''}: ${text}`)
    return errors.length ? undefined : onBuilt()
  }
  const plugins = [{ name: 'report', setup: (build) => build.onEnd(report) }]
  const watchContext = await context({ ...createBuildOptions(root, [sandbox]), plugins })
  await watchContext.watch()
}
