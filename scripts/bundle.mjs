import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** How each program of ours becomes one file that plain Node runs; packages stay outside and are found in node_modules. */
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

/** The programs that are there, as `{ program: source }` without the program's `.mjs`. The sandbox's lies where its own start script puts it, beside what it is installed with. */
export function programs(root) {
  const cli = join(root, 'scripts/cli')
  const tools = existsSync(cli) ? readdirSync(cli).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts')) : []
  return {
    ...(existsSync(join(root, 'sandbox/main.ts')) && { 'sandbox/build/sandbox': 'sandbox/main.ts' }),
    ...Object.fromEntries(tools.map((name) => [`build/${name.slice(0, -3)}`, `scripts/cli/${name}`])),
  }
}

/** Stands in for `server-only`, which throws wherever no React server build is: a tool runs on the server by nature. */
const serverSide = {
  name: 'server-side',
  setup(build) {
    build.onResolve({ filter: /^server-only$/ }, () => ({ path: 'server-only', namespace: 'server-side' }))
    build.onLoad({ filter: /.*/, namespace: 'server-side' }, () => ({ contents: '' }))
  },
}

/** Bundles the named programs, all of them unless told otherwise. Throws esbuild's own error, whose text names file and line. */
export async function bundlePrograms(root, names = Object.keys(programs(root))) {
  const { build } = await import('esbuild')
  const entryPoints = Object.fromEntries(names.map((name) => [name, programs(root)[name]]))
  await build({ ...bundleOptions(root), entryPoints, outdir: root, plugins: [serverSide] })
}
