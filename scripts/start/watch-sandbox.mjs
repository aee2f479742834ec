import { join } from 'node:path'
import { context } from 'esbuild'
import { bundleOptions } from './bundle.mjs'

/** Bundles the sandbox now and after each change of its sources. Calls back after each successful bundle. */
export async function watchSandbox(root, onBuilt) {
  const report = {
    name: 'report',
    setup: (build) =>
      build.onEnd(({ errors }) => {
        for (const error of errors) console.error(`sandbox │ ${error.location?.file ?? ''}: ${error.text}`)
        return errors.length ? undefined : onBuilt()
      }),
  }
  const watched = await context({
    ...bundleOptions(root),
    entryPoints: { sandbox: 'sandbox/main.ts' },
    outdir: join(root, 'sandbox/build'),
    plugins: [report],
  })
  await watched.watch()
}
