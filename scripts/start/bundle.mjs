// esbuild is imported only when needed: it may not be installed when this file is loaded.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const sandboxBundle = 'sandbox/build/sandbox'

/**
 * Maps bundle paths, without `.mjs`, to source paths. The sandbox's bundle is in the sandbox's own
 * folder, next to its start script and its packages.
 */
export function getProgramSources(root) {
  const cliFileNames = readdirSync(join(root, 'scripts/cli')).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  return {
    [sandboxBundle]: 'sandbox/main.ts',
    ...Object.fromEntries(
      cliFileNames.map((name) => [`build/${name.slice(0, -3)}`, `scripts/cli/${name}`]),
    ),
  }
}

/** Packages are not bundled; Node loads them from node_modules. */
const createBuildOptions = (root, names) => ({
  absWorkingDir: root,
  entryPoints: Object.fromEntries(names.map((name) => [name, getProgramSources(root)[name]])),
  outdir: root,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  packages: 'external',
  // The package `server-only` throws outside a React server build. These programs run only on a
  // server, so a harmless module replaces it.
  alias: { 'server-only': 'node:process' },
  sourcemap: true,
  tsconfig: join(root, 'tsconfig.json'),
  logLevel: 'silent',
})

/** Throws esbuild's own error, which names the file and the line. */
export async function bundlePrograms(root, names = Object.keys(getProgramSources(root))) {
  const { build } = await import('esbuild')
  await build(createBuildOptions(root, names))
}

/** Calls `onBuilt` after each bundle without errors. */
export async function watchSandbox(root, onBuilt) {
  const { context } = await import('esbuild')
  const handleBuildEnd = ({ errors }) => {
    for (const { location, text } of errors)
      console.error(`sandbox │ ${location?.file ?? ''}: ${text}`)
    return errors.length ? undefined : onBuilt()
  }
  const plugins = [{ name: 'report', setup: (build) => build.onEnd(handleBuildEnd) }]
  const watchContext = await context({ ...createBuildOptions(root, [sandboxBundle]), plugins })
  await watchContext.watch()
}
