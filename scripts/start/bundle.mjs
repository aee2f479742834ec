import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** esbuild options that bundle a program into one file for plain Node. Packages stay external, in node_modules. */
export const bundleOptions = (root) => ({
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  packages: 'external',
  sourcemap: true,
  tsconfig: join(root, 'tsconfig.json'),
  outExtension: { '.js': '.mjs' },
  logLevel: 'silent',
})

/**
 * Returns the programs as `{ program: source }`, without the program's `.mjs`. The sandbox's bundle goes to the path that its own start
 * script uses, beside its packages.
 */
export function programs(root) {
  const cli = join(root, 'scripts/cli')
  const tools = existsSync(cli) ? readdirSync(cli).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts')) : []
  return {
    ...(existsSync(join(root, 'sandbox/main.ts')) && { 'sandbox/build/sandbox': 'sandbox/main.ts' }),
    ...Object.fromEntries(tools.map((name) => [`build/${name.slice(0, -3)}`, `scripts/cli/${name}`])),
  }
}

/** Replaces `server-only`, which throws outside a React server build. A command-line program always runs on the server. */
const serverSide = {
  name: 'server-side',
  setup(build) {
    build.onResolve({ filter: /^server-only$/ }, () => ({ path: 'server-only', namespace: 'server-side' }))
    build.onLoad({ filter: /.*/, namespace: 'server-side' }, () => ({ contents: '' }))
  },
}

/** Bundles the named programs, by default all. Throws esbuild's own error, whose text contains file and line. */
export async function bundlePrograms(root, names = Object.keys(programs(root))) {
  const { build } = await import('esbuild')
  const entryPoints = Object.fromEntries(names.map((name) => [name, programs(root)[name]]))
  await build({ ...bundleOptions(root), entryPoints, outdir: root, plugins: [serverSide] })
}
